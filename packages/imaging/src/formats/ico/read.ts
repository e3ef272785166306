import { brokenIcon, decodeIconBitmap, largestEntry, readIconEntries } from "@tintype/codecs/ico";
import type { Note } from "@tintype/contract";
import { checkPixels } from "../limits.ts";
import { openRaster } from "../open-raster.ts";
import { openWithLibvips } from "../open-with-libvips.ts";
import { checkPngMetadata } from "../png/packed-texts.ts";
import type { FileOpenOptions, Source } from "../source.ts";

/** Opens the largest image of an icon. */
export async function openIcon({ file, limits }: FileOpenOptions): Promise<Source> {
  const entries = readIconEntries(await file.bytes());
  const largest = largestEntry(entries);
  const { kind, bytes, width, height } = largest;
  if (width <= 0 || height <= 0) brokenIcon("Its picture has no size.");
  checkPixels({ width, height }, limits);
  // Compress decodes all images.
  checkPixels({ width: entries.reduce((sum, one) => sum + Math.abs(one.width * one.height), 0), height: 1 }, limits);
  const pages = entries.length;
  const facts = {
    file,
    format: "ico",
    pages,
    notes: pages > 1 ? [{ code: "largest-icon-kept", images: pages } satisfies Note] : [],
  } as const;
  if (kind === "bmp") return openRaster(decodeIconBitmap(largest), facts);
  await checkPngMetadata(async (at, length) => Buffer.from(bytes.subarray(at, at + length)));
  return { ...(await openWithLibvips({ ...facts, pages: 1, input: bytes, limits })), pages };
}
