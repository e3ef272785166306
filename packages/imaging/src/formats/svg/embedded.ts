import { sniffFormat } from "@tintype/codecs/headers";
import { DomainError, type Reason } from "@tintype/contract";
import sharp from "sharp";
import { addressIn, readPieces } from "./pieces.ts";
import { plainSvg } from "./plain.ts";

/** Estimated decoding time per pixel, ms. librsvg decodes an image each time it is referenced. */
const msPerPixel = 1e-5;
/** The most pixels of one embedded image. */
const maxPixels = 100e6;

/**
 * Estimates the embedded images of a drawing from their headers: ms, by their URL.
 * @param costOfDrawing of an embedded SVG, as plain text, ms
 * @throws cannot-process for an image that librsvg would decompress without limits
 */
export async function costOfImages(
  plain: string,
  costOfDrawing: (plain: string) => Promise<number>,
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  if (!plain.includes("data:")) return found;
  for (const piece of readPieces(plain)) {
    if (piece.kind !== "open") continue;
    const address = addressIn(piece.tag);
    const bytes = address?.startsWith("data:") && !found.has(address) ? embeddedBytes(address) : undefined;
    if (address && bytes) found.set(address, await costOf(bytes, costOfDrawing));
  }
  return found;
}

async function costOf(bytes: Uint8Array, costOfDrawing: (plain: string) => Promise<number>): Promise<number> {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) refuse({ code: "svg-embedded-compressed" });
  const format = sniffFormat(bytes);
  if (!format) return 0;
  if (format === "svg") return costOfDrawing(plainSvg(bytes));
  // An unreadable image is not rendered.
  const { width, height } = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => ({ width: 0, height: 0 }));
  if (width * height > maxPixels) refuse({ code: "svg-embedded-too-large", limit: maxPixels / 1e6 });
  return width * height * msPerPixel;
}

/** The bytes of a `data:` URL, in base64 or plain characters, percent-encoded or not. */
export function embeddedBytes(address: string): Uint8Array {
  const comma = address.indexOf(",");
  const content = withoutReferences(address.slice(comma + 1));
  const inBytes = Buffer.from(content).toString("latin1"); // one letter a byte
  const decoded = inBytes.replaceAll(/%([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  // Base64 may be percent-encoded too (Fetch, "data: URL processor").
  return Buffer.from(decoded, /;\s*base64\s*$/i.test(address.slice(0, Math.max(0, comma))) ? "base64" : "latin1");
}

const characters: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** Decodes XML character references. */
const withoutReferences = (text: string): string =>
  text.replaceAll(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hexadecimal, name) => {
    if (name) return characters[name] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hexadecimal, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });

function refuse(reason: Reason): never {
  throw new DomainError("cannot-process", { reason });
}
