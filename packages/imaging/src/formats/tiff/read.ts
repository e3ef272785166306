import { readFile } from "node:fs/promises";
import { withBytesOf } from "../byte-window.ts";
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
export async function openTiff({ path, sizeBytes, limits }: FileOpenOptions): Promise<Source> {
  const { coding, pages, hasUnknownTypes } = await withBytesOf(path, (read) => checkTiffPages(read, sizeBytes));
  const opening = { path, sizeBytes, limits, format: "tiff" } as const;
  if (coding && needsOwnDecoder(coding)) {
    const file = await readFile(path);
    const picture = readTiffPicture(file);
    checkPixels(picture, limits);
    const { bytes, notes } = await rewriteTiff(file, picture);
    return openWithLibvips({ ...opening, input: bytes, pages, notes });
  }
  // libtiff fails on a field of an unknown type, which readers should skip (TIFF 6.0, 2).
  const input = hasUnknownTypes ? stripTiff(await readFile(path)).bytes : path;
  return openWithLibvips({ ...opening, input });
}
