import { isFrame, readHeaderSegments } from "@tintype/codecs/jpeg";
import { DomainError } from "@tintype/contract";
import type { ReadBytes } from "../byte-window.ts";

/** Codes of SOFn (ITU-T T.81, table B.1) and of SOF55 (ITU-T T.87) for the processes that libjpeg does not decode. */
const unreadFrames = {
  "is coded without loss": [195, 203],
  "is coded in a hierarchy of sizes": [197, 198, 199, 205, 206, 207],
  "is JPEG-LS": [247],
};

/**
 * Refuses the coding processes and precisions that no decoder here supports. libjpeg's error for them would look like
 * damage.
 * @throws cannot-process, with the name of the process
 */
export async function checkJpegCoding(read: ReadBytes): Promise<void> {
  for await (const { marker, start } of readHeaderSegments(read)) {
    for (const [coding, frames] of Object.entries(unreadFrames)) if (frames.includes(marker)) refuse(coding);
    if (!isFrame(marker)) continue;
    const [depth] = await read(start + 4, 1);
    return depth === undefined || depth === 8 ? undefined : refuse(`has ${depth} bits per channel`);
  }
}

function refuse(coding: string): never {
  throw new DomainError("cannot-process", {
    detail: `This JPEG ${coding}, which is not supported. Save it as a baseline or progressive JPEG with 8 bits, or as PNG or TIFF.`,
  });
}
