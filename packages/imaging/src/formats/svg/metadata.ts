import { DomainError } from "@tintype/contract";
import type { Stripped } from "../stripped.ts";
import { type ActiveContent, removeActiveContent } from "./active-content.ts";
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
    const notes = removed.size > 0 ? [`The drawing lost ${[...removed].sort().join(", ")}.`] : [];
    return { bytes: new TextEncoder().encode(withoutInside(data, stripPicture)), notes };
  } catch (cause) {
    throw cause instanceof DomainError ? cause : new DomainError("broken-image", { cause });
  }
}

function withoutInside(text: string, stripPicture: StripPicture): string {
  return text.replaceAll(/(data:image\/[a-z+.-]+;base64,)([A-Za-z0-9+/=\s]+)/g, (_, start: string, packed: string) => {
    return start + Buffer.from(stripPicture(Buffer.from(packed, "base64"))).toString("base64");
  });
}
