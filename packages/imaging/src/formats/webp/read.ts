import { DomainError } from "@tintype/contract";
import type { ReadBytes } from "../byte-window.ts";
import { maxFrames, refusePixels } from "../limits.ts";
import { openWithLibvips } from "../open-with-libvips.ts";
import type { FileOpenOptions, Source } from "../source.ts";
import { readWebpChunks } from "./container.ts";

export async function openWebp({ file, limits }: FileOpenOptions): Promise<Source> {
  await file.withParts(checkChunks);
  return openWithLibvips({ file, limits, format: "webp" });
}

/**
 * Chunks other than ANMF: VP8X, VP8, ALPH, ICCP, EXIF, XMP. libwebp searches all chunks for each: a million took 6 s.
 */
const maxOtherChunks = 100;

/** @throws cannot-process for a WebP of more chunks than any encoder writes, too-many-pixels for too many frames */
async function checkChunks(read: ReadBytes): Promise<void> {
  let [frames, others] = [0, 0];
  for await (const { type } of readWebpChunks(read)) {
    if (type === "ANMF") frames++;
    else others++;
    if (frames > maxFrames) refusePixels({ code: "more-frames-than", limit: maxFrames });
    if (others > maxOtherChunks)
      throw new DomainError("cannot-process", { reason: { code: "webp-chunks", limit: maxOtherChunks } });
  }
}
