import { checkPixels } from "../limits.ts";
import { openWithLibvips } from "../open-with-libvips.ts";
import type { FileOpenOptions, Source } from "../source.ts";
import { rewriteTiff } from "./decode.ts";
import { readTiffPicture } from "./layout.ts";
import { stripTiff } from "./metadata.ts";
import { checkTiffPages } from "./page-list.ts";
import { needsOwnDecoder } from "./unread-coding.ts";

/**
 * Opens the first page of a TIFF (TIFF 6.0, BigTIFF) by libvips, or by our own decoder (see `needsOwnDecoder`).
 * @throws as `checkTiffPages`, `rewriteTiff` and `openWithLibvips`
 */
export async function openTiff({ file, limits }: FileOpenOptions): Promise<Source> {
  const { coding, pages, hasUnknownTypes } = await file.withParts((read) => checkTiffPages(read, file.sizeBytes));
  const opening = { file, limits, format: "tiff" } as const;
  if (coding && needsOwnDecoder(coding)) {
    const stored = await file.bytes();
    const picture = readTiffPicture(stored);
    checkPixels(picture, limits);
    const { bytes, notes } = await rewriteTiff(stored, picture);
    return openWithLibvips({ ...opening, input: bytes, pages, notes });
  }
  // libtiff fails on a field of an unknown type, which readers should skip (TIFF 6.0, 2).
  const input = hasUnknownTypes ? stripTiff(await file.bytes()).bytes : file.path;
  return openWithLibvips({ ...opening, input });
}
