import { DomainError, type InputFormat } from "@tintype/contract";
import { type ReadBytes, withBytesOf } from "./byte-window.ts";
import { checkJpegScans } from "./jpeg/count-scans.ts";
import { checkJpegCoding } from "./jpeg/unread-coding.ts";
import { maxFrames, refusePixels } from "./limits.ts";
import { checkPngMetadata } from "./png/packed-texts.ts";
import { readWebpChunks } from "./webp/container.ts";

const checks: Partial<Record<InputFormat, (read: ReadBytes, sizeBytes: number) => Promise<void>>> = {
  jpeg: async (read) => {
    await checkJpegCoding(read);
    await checkJpegScans(read);
  },
  png: checkPngMetadata,
  webp: checkWebpChunks,
};

/**
 * Checks the structures that libvips and its codecs read without a limit, before libvips opens the file.
 * @throws cannot-process, too-many-pixels
 */
export async function checkBeforeReading(
  path: string,
  { format, sizeBytes }: { format: InputFormat; sizeBytes: number },
): Promise<void> {
  const check = checks[format];
  if (check) await withBytesOf(path, (read) => check(read, sizeBytes));
}

/**
 * Chunks other than ANMF: VP8X, VP8, ALPH, ICCP, EXIF, XMP. libwebp searches all chunks for each: a million took 6 s.
 */
const maxOtherChunks = 100;

/** @throws cannot-process for a WebP of more chunks than any encoder writes, too-many-pixels for too many frames */
async function checkWebpChunks(read: ReadBytes): Promise<void> {
  let [frames, others] = [0, 0];
  for await (const { type } of readWebpChunks(read)) {
    if (type === "ANMF") frames++;
    else others++;
    if (frames > maxFrames) refusePixels(`The image has more than ${maxFrames} frames.`);
    if (others > maxOtherChunks)
      throw new DomainError("cannot-process", {
        detail: `This WebP cannot be processed. It has more than ${maxOtherChunks} chunks besides its frames.`,
      });
  }
}
