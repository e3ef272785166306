import { sniffBytes, sniffFormat } from "@tintype/codecs/headers";
import { formatNamed, type InputFormat } from "@tintype/contract";
import type { Sides } from "../../state/frame.ts";
import { heifSides } from "./heif-sides.ts";
import { jp2Orientation } from "./jp2-orientation.ts";
import { orientationIn } from "./orientation-in.ts";

export type Header = {
  format: InputFormat;
  sides: Sides | undefined;
  /** Set for a WebP or PNG with several frames. */
  isAnimated?: boolean;
};

/** Bytes read: first the usual place of the dimensions, then far enough to pass a large embedded preview or profile. */
const headBytes = [64 * 1024, 2 * 1024 * 1024];
/** EXIF orientations from this one on swap width and height. */
const firstTurned = 5;

/** A file's format, by the signatures that the server uses, and its pixel size; undefined if it has none of them. */
export async function readHeader(file: Blob): Promise<Header | undefined> {
  let format: InputFormat | undefined;
  for (const length of headBytes) {
    const bytes = new Uint8Array(await file.slice(0, length).arrayBuffer());
    format ??= sniffFormat(bytes.subarray(0, sniffBytes));
    if (!format) return undefined;
    const sides = await sidesOf(bytes, format);
    if (sides || length >= file.size) {
      const turned = sides && format === "jp2" && (await jp2Orientation(file)) >= firstTurned;
      const shown = turned ? { widthPx: sides.heightPx, heightPx: sides.widthPx } : sides;
      return { format, sides: shown, ...(isAnimated(bytes, format) && { isAnimated: true }) };
    }
  }
  return format && { format, sides: undefined };
}

/**
 * Whether a file may be an image, by its type, extension or first bytes. A coarse filter that keeps out texts and archives;
 * the server decides what a file really is.
 */
export async function looksLikeImage(file: File): Promise<boolean> {
  if (file.size === 0) return false;
  if (file.type.startsWith("image/") || formatNamed(file.name.split(".").at(-1) ?? "")) return true;
  if (file.type !== "") return false;
  return sniffFormat(new Uint8Array(await file.slice(0, sniffBytes).arrayBuffer())) !== undefined;
}

/** Whether a picture of that format has several frames, judged by its first bytes. */
export const isAnimatedPicture = async (file: Blob, format: InputFormat): Promise<boolean> =>
  isAnimated(new Uint8Array(await file.slice(0, headBytes[0]).arrayBuffer()), format);

/** Checks bit 1 of the flags in a WebP's VP8X chunk, or for a PNG's acTL chunk, which precedes the IDAT chunks. */
function isAnimated(bytes: Uint8Array, format: InputFormat): boolean {
  const text = (from: number) => String.fromCharCode(...bytes.subarray(from, from + 4));
  if (format === "webp") return text(12) === "VP8X" && ((bytes[20] ?? 0) & 2) !== 0;
  if (format !== "png") return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 8; at + 8 <= bytes.length; at += 12 + view.getUint32(at)) {
    const type = text(at + 4);
    if (type === "acTL" || type === "IDAT") return type === "acTL";
  }
  return false;
}

async function sidesOf(bytes: Uint8Array, format: InputFormat): Promise<Sides | undefined> {
  const { imageSize } = await import("image-size");
  try {
    const shown = format === "heic" || format === "avif" ? heifSides(bytes) : undefined;
    if (shown) return shown;
    const found = imageSize(bytes);
    const { type = "" } = found;
    const orientation = orientationIn(bytes, format);
    // The largest image of an icon is the one that is processed.
    const { width, height } = (found.images ?? [found]).reduce((a, b) =>
      b.width * b.height > a.width * a.height ? b : a,
    );
    if (!width || !height || !formatNamed(type.replace("bigtiff", "tiff"))) return undefined;
    return orientation >= firstTurned ? { widthPx: height, heightPx: width } : { widthPx: width, heightPx: height };
  } catch {
    return undefined; // truncated, or the size is stored elsewhere: the browser or the server will report it
  }
}
