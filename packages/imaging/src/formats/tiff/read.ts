import { readFile } from "node:fs/promises";
import type { PictureLimits } from "../../task.ts";
import { withBytesOf } from "../byte-window.ts";
import { checkPixels } from "../limits.ts";
import { openWithLibvips } from "../open-with-libvips.ts";
import type { Source } from "../source.ts";
import { rewriteTiff } from "./decode.ts";
import { readTiffPicture } from "./layout.ts";
import { stripTiff } from "./metadata.ts";
import { checkTiffPages } from "./page-list.ts";
import { needsOwnDecoder } from "./unread-coding.ts";

type Opening = { path: string; sizeBytes: number; limits: PictureLimits };

/** Opens the first page of a TIFF: by libvips, or by our own decoder where libvips reads its kind of pixels wrongly. */
export async function openTiff({ path, sizeBytes, limits }: Opening): Promise<Source> {
  const { coding, pages, hasUnknownTypes } = await withBytesOf(path, (read) => checkTiffPages(read, sizeBytes));
  const opening = { path, sizeBytes, limits, format: "tiff" } as const;
  if (coding && needsOwnDecoder(coding)) {
    const file = await readFile(path);
    const picture = readTiffPicture(file);
    checkPixels(picture, limits);
    const { bytes, notes } = await rewriteTiff(file, picture);
    return openWithLibvips({ ...opening, input: bytes, pages, notes });
  }
  // libtiff takes a tag of an unknown type for damage, though a reader is to skip it (TIFF 6.0, section 2).
  const input = hasUnknownTypes ? stripTiff(await readFile(path)).bytes : path;
  return openWithLibvips({ ...opening, input });
}
