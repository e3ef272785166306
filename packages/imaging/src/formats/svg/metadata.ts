import { type ActiveContent, DomainError, type Note } from "@tintype/contract";
import type { Stripped } from "../stripped.ts";
import { removeActiveContent } from "./active-content.ts";
import { embeddedBytes } from "./embedded.ts";
import { loadSvgo } from "./load-svgo.ts";
import { plainSvg } from "./plain.ts";

/** Strips a picture of any other format: an SVG may embed photographs. */
type StripPicture = (bytes: Uint8Array) => Uint8Array;

/**
 * An SVG without comments, metadata, the private data of drawing programs (file paths among it), scripts and external
 * references; embedded pictures lose their metadata. The drawing is unchanged.
 * @throws broken-image when the text is not XML
 */
export function stripSvg(bytes: Uint8Array, stripPicture: StripPicture): Stripped {
  try {
    const removed = new Set<ActiveContent>();
    const { data } = loadSvgo().optimize(plainSvg(bytes), {
      plugins: ["removeComments", "removeMetadata", "removeEditorsNSData", removeActiveContent(removed)],
    });
    const notes: Note[] = removed.size > 0 ? [{ code: "active-content-removed", removed: [...removed].sort() }] : [];
    return { bytes: new TextEncoder().encode(withoutInside(data, stripPicture)), notes };
  } catch (cause) {
    throw cause instanceof DomainError ? cause : new DomainError("broken-image", { cause });
  }
}

function withoutInside(text: string, stripPicture: StripPicture): string {
  return withoutInsidePlain(withoutInsideBase64(text, stripPicture), stripPicture);
}

/** The head of a `data:` URL in base64, of any media type: librsvg and browsers recognise a picture by its bytes. */
const base64Head = /data:[^,:"'()<>]*;\s*base64\s*,/gi;
/**
 * Base64, any character of which may be percent-encoded. Any other escape ends it: in an SVG that is itself a
 * plain-text `data:` URL, those of quotes and brackets.
 */
const base64Characters = /[A-Za-z0-9+/=\s]+|%(?:0[9acd]|2[0bf]|3[0-9d]|[46][1-9a-f]|[57][0-9a])/giy;

function withoutInsideBase64(text: string, stripPicture: StripPicture): string {
  const parts: string[] = [];
  let at = 0;
  for (const { 0: head, index } of text.matchAll(base64Head)) {
    const start = index + head.length;
    const end = endOfBase64(text, start);
    const stripped = strippedInside(text.slice(index, end), stripPicture);
    if (!stripped) continue;
    parts.push(text.slice(at, start), Buffer.from(stripped).toString("base64"));
    at = end;
  }
  return [...parts, text.slice(at)].join("");
}

function endOfBase64(text: string, start: number): number {
  let end = start;
  base64Characters.lastIndex = start;
  while (base64Characters.test(text)) end = base64Characters.lastIndex;
  return end;
}

/** The bytes of a `data:` URL without metadata; undefined if it has none. */
function strippedInside(address: string, stripPicture: StripPicture): Uint8Array | undefined {
  const bytes = embeddedBytes(address);
  const stripped = stripPicture(bytes);
  return Buffer.compare(stripped, bytes) === 0 ? undefined : stripped;
}

/** A `data:` URL of a picture in plain or percent-encoded characters, with its quote or bracket. */
const plainData = /("|'|&quot;|&apos;|&#34;|&#39;|&#x22;|&#x27;|\()\s*(data:image\/[^,"'()<>]{0,100},)/gi;
/** The start of a fragment identifier, not of a character reference. */
const fragmentMark = /(?<!&)#/;

function withoutInsidePlain(text: string, stripPicture: StripPicture): string {
  const parts: string[] = [];
  /** Attack: for each of many unclosed quotes, the search would run to the end of the file. */
  const unclosed = new Set<string>();
  let at = 0;
  for (const { 0: opening, 1: quote = "", 2: head = "", index } of text.matchAll(plainData)) {
    const start = index + opening.length;
    if (start < at || unclosed.has(quote) || /;\s*base64\s*,$/i.test(head)) continue;
    const end = text.indexOf(quote === "(" ? ")" : quote, start);
    if (end < 0) {
      unclosed.add(quote);
      continue;
    }
    const content = text.slice(start, end);
    const [drawing = ""] = content.split(fragmentMark, 1);
    const stripped = strippedInside(head + drawing, stripPicture);
    parts.push(text.slice(at, start), stripped ? percentEncoded(stripped) : drawing, content.slice(drawing.length));
    at = end;
  }
  return [...parts, text.slice(at)].join("");
}

/** Percent-encodes all bytes that a quoted or bracketed URL in XML or CSS must not contain. */
const percentEncoded = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString("latin1")
    .replaceAll(/[^\w!*+,./:;=?@~-]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`);
