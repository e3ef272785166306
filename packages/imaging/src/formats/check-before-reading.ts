import type { InputFormat } from "@tintype/contract";
import { type ReadBytes, withBytesOf } from "./byte-window.ts";
import { checkJpegScans } from "./jpeg/count-scans.ts";
import { checkJpegCoding } from "./jpeg/unread-coding.ts";
import { checkPngMetadata } from "./png/packed-texts.ts";
import { checkWebpChunks } from "./webp/count-chunks.ts";

const checks: Partial<Record<InputFormat, (read: ReadBytes, sizeBytes: number) => Promise<void>>> = {
  jpeg: async (read) => {
    await checkJpegCoding(read);
    await checkJpegScans(read);
  },
  png: checkPngMetadata,
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
