import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { initSync, JxlImage } from "jxl-oxide-wasm";

/**
 * `png` is missing if the picture exceeds the pixel limit or its colour space is unsupported. `frames` counts those of
 * an animation.
 */
export type JxlPicture = { width: number; height: number; frames: number; png?: Uint8Array; isUnread?: true };

/** The header is in the first few hundred bytes, or after the metadata of a container. */
const pieceBytes = 1 << 16;

/**
 * Decodes the first frame of a JPEG XL to PNG, upright, in its own bit depth and colour space. The size is checked
 * before any pixel is decoded.
 * @throws Error if it is truncated or corrupt
 */
export async function decodeJxl(
  bytes: Uint8Array,
  { maxPixels }: { maxPixels: number },
  onSize: (size: { width: number; height: number }) => void,
): Promise<JxlPicture> {
  initSync({ module: await readFile(fileURLToPath(import.meta.resolve("jxl-oxide-wasm/module.wasm"))) });
  const image = new JxlImage();
  let at = 0;
  let piece = pieceBytes;
  let size: { width: number; height: number } | undefined;
  while (at < bytes.length) {
    const taken = image.feedBytes(bytes.subarray(at, at + piece));
    // Bytes that were not consumed are passed again, followed by more.
    if (taken === 0 && at + piece >= bytes.length) break;
    if (taken === 0) piece *= 2;
    at += taken;
    if (size === undefined && image.tryInit()) {
      size = { width: image.width ?? 0, height: image.height ?? 0 };
      onSize(size);
      if (size.width * size.height > maxPixels) return { ...size, frames: 1 };
    }
  }
  if (size === undefined || !image.loaded) throw new Error("JPEG XL: the file is cut off");
  const frames = image.animated ? image.numLoadedKeyframes : 1;
  try {
    return { ...size, frames, png: image.render(0).encodeToPng() };
  } catch (problem) {
    // CMYK, which the binding does not convert.
    if (/unsupported colou?r ?space/i.test(String(problem))) return { ...size, frames, isUnread: true };
    throw problem;
  }
}
