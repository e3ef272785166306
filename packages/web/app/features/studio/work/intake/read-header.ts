import { formatNamed, type InputFormat } from "@tintype/contract";
import type { Sides } from "../../state/frame.ts";
import { heifSides } from "./heif-sides.ts";

export type Header = { format: InputFormat; sides: Sides | undefined };

/** Bytes that are looked at: first the usual place of the sizes, then past a large preview or profile. */
const headBytes = [64 * 1024, 2 * 1024 * 1024];
/** EXIF orientations from here on lay a picture on its side. */
const firstTurned = 5;

/** A file's format and size in pixels as its first bytes tell; undefined where they name no format of ours. */
export async function readHeader(file: Blob): Promise<Header | undefined> {
  let format: InputFormat | undefined;
  for (const length of headBytes) {
    const bytes = new Uint8Array(await file.slice(0, length).arrayBuffer());
    format ??= formatOf(bytes);
    if (!format) return undefined;
    const sides = await sidesOf(bytes, format);
    if (sides || length >= file.size) return { format, sides };
  }
  return format && { format, sides: undefined };
}

/** The same signatures as the server's; a file that shows none of them is asked about there. */
export function formatOf(bytes: Uint8Array): InputFormat | undefined {
  // One letter a byte. TextDecoder's "latin1" is windows-1252, where PNG's first byte is another letter.
  const head = String.fromCharCode(...bytes.subarray(0, 512));
  return signatures.find(([signature]) => signature.test(head))?.[1];
}

const signatures: ReadonlyArray<[RegExp, InputFormat]> = [
  [/^\xff\xd8\xff/, "jpeg"],
  [/^\x89PNG\r\n/, "png"],
  [/^GIF8[79]a/, "gif"],
  [/^RIFF[\s\S]{4}WEBP/, "webp"],
  [/^(II[*+]\0|MM\0[*+])/, "tiff"],
  [/^BM[\s\S]{12}[^\0]\0\0\0/, "bmp"],
  [/^(\xff\n|\0\0\0\fJXL \r\n\x87\n)/, "jxl"],
  [/^8BPS/, "psd"],
  // Cursors look the same but for one number; the server refuses them.
  [/^\0\0[^\0]\0[^\0]\0/, "ico"],
  [/^[\s\S]{4}ftypavi[fs]/, "avif"],
  // General brands hold one coding or the other: the server tells them apart.
  [/^[\s\S]{4}ftyp(he(i[cmxs]|v[cmxs])|mif[12]|msf1|mia[fA])/, "heic"],
  [/^(\xef\xbb\xbf)?\s*(<\?xml[^>]*>\s*)?(<!--(?:(?!-->)[\s\S])*-->\s*|<!doctype[^>]*>\s*)*<svg[\s>]/i, "svg"],
];

async function sidesOf(bytes: Uint8Array, format: InputFormat): Promise<Sides | undefined> {
  const { imageSize } = await import("image-size");
  try {
    const shown = format === "heic" || format === "avif" ? heifSides(bytes) : undefined;
    if (shown) return shown;
    const found = imageSize(bytes);
    const { orientation = 1, type = "" } = found;
    // Of an icon the largest picture is worked on.
    const { width, height } = (found.images ?? [found]).reduce((a, b) =>
      b.width * b.height > a.width * a.height ? b : a,
    );
    if (!width || !height || !formatNamed(type.replace("bigtiff", "tiff"))) return undefined;
    return orientation >= firstTurned ? { widthPx: height, heightPx: width } : { widthPx: width, heightPx: height };
  } catch {
    return undefined; // cut off, or of a kind that keeps its size elsewhere: the browser or the server will tell
  }
}
