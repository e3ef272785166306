import { readFile } from "node:fs/promises";
import { DomainError } from "@tintype/contract";
import type { PictureLimits } from "../../task.ts";
import { decodeInThread } from "../decoder-thread.ts";
import { checkPixels } from "../limits.ts";
import { openDecodedPng } from "../png/read.ts";
import type { Source } from "../source.ts";

type Opening = { path: string; sizeBytes: number; limits: PictureLimits };

/** The decoder takes some 40 bytes a pixel, and has 4 GB. */
const mostMegapixels = 90;

/** Opens the first frame of a JPEG XL, at its own depth. */
export async function openJxl({ path, sizeBytes, limits }: Opening): Promise<Source> {
  const most = Math.min(limits.megapixelsIn, mostMegapixels);
  const bytes = await readFile(path);
  const { png, width, height, frames } = await decodeInThread({
    decoder: "jxl",
    bytes,
    options: { maxPixels: most * 1e6 },
  });
  checkPixels({ width, height }, limits);
  if (!png)
    throw new DomainError("too-many-pixels", {
      detail: `A JPEG XL of up to ${mostMegapixels} megapixels is read; this one has ${Math.ceil((width * height) / 1e6)}.`,
    });
  const notes = frames > 1 ? [`Only the first of ${frames} frames is kept.`] : [];
  const source = await openDecodedPng(png, { path, sizeBytes, format: "jxl", limits, notes });
  return { ...source, pages: frames };
}
