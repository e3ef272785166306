import { readFile } from "node:fs/promises";
import { DomainError } from "@tintype/contract";
import { decodeInThread } from "../decoder-thread.ts";
import { checkPixels, refusePixels } from "../limits.ts";
import { openDecodedPng } from "../png/read.ts";
import type { FileOpenOptions, Source } from "../source.ts";

/** The decoder needs about 40 bytes per pixel, and has 4 GB. */
const maxMegapixels = 80;

/** Opens the first frame of a JPEG XL at its own bit depth. */
export async function openJxl({ path, sizeBytes, limits }: FileOpenOptions): Promise<Source> {
  const most = Math.min(limits.megapixelsIn, maxMegapixels);
  const bytes = await readFile(path);
  const { png, isUnread, width, height, frames } = await decodeInThread({
    decoder: "jxl",
    bytes,
    options: { maxPixels: most * 1e6 },
    // Reported before the pixels are decoded: the time limit depends on the size.
    onSize: (size) => checkPixels(size, limits),
  });
  if (isUnread)
    throw new DomainError("cannot-process", {
      detail: "This JPEG XL has a colour space that is not supported, such as CMYK. Export it as PNG or JPEG.",
    });
  if (!png)
    refusePixels(
      `A JPEG XL can have up to ${maxMegapixels} megapixels; this one has ${Math.ceil((width * height) / 1e6)}.`,
    );
  const notes = frames > 1 ? [`Only the first of ${frames} frames is kept.`] : [];
  const source = await openDecodedPng(png, { path, sizeBytes, format: "jxl", limits, notes });
  return { ...source, pages: frames };
}
