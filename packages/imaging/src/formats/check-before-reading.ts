import type { InputFormat } from "@tintype/contract";
import { type ReadBytes, withBytesOf } from "./byte-window.ts";
import { checkJpegScans } from "./jpeg/count-scans.ts";
import { checkPngMetadata } from "./png/packed-texts.ts";
import { checkTiffPages } from "./tiff/page-list.ts";
import { checkWebpChunks } from "./webp/count-chunks.ts";

const checks: Partial<Record<InputFormat, (read: ReadBytes, sizeBytes: number) => Promise<void>>> = {
  jpeg: checkJpegScans,
  png: checkPngMetadata,
  tiff: checkTiffPages,
  webp: checkWebpChunks,
};

/**
 * Checks the parts that libvips reads without a bound of its own, before libvips sees the file.
 * @throws broken-image, cannot-process, too-many-pixels
 */
export async function checkBeforeReading(
  path: string,
  { format, sizeBytes }: { format: InputFormat; sizeBytes: number },
): Promise<void> {
  const check = checks[format];
  if (check) await withBytesOf(path, (read) => check(read, sizeBytes));
}
