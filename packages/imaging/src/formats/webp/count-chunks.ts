import { DomainError } from "@tintype/contract";
import type { ReadBytes } from "../byte-window.ts";
import { maxFrames } from "../limits.ts";

/** Besides frames: pixels, alpha, profile, EXIF, XMP. libwebp looks through all for each: a million took 6 s. */
const mostOthers = 100;

/** @throws cannot-process for a WebP in more chunks than any encoder writes, too-many-pixels for too many frames */
export async function checkWebpChunks(read: ReadBytes): Promise<void> {
  let [frames, others] = [0, 0];
  for (let at = 12; ; ) {
    const head = await read(at, 8);
    if (head.length < 8) return;
    if (head.toString("latin1", 0, 4) === "ANMF") frames++;
    else others++;
    if (frames > maxFrames)
      throw new DomainError("too-many-pixels", { detail: `The picture has more than ${maxFrames} frames.` });
    if (others > mostOthers)
      throw new DomainError("cannot-process", {
        detail: `This WebP is not read. It has more than ${mostOthers} parts besides its frames.`,
      });
    const length = head.readUInt32LE(4);
    at += 8 + length + (length & 1);
  }
}
