import { isFrame, readHeaderSegments } from "@tintype/codecs/jpeg";
import { DomainError, type Reason, type UnreadJpegCoding } from "@tintype/contract";
import type { ReadBytes } from "../byte-window.ts";

/** Codes of SOFn (ITU-T T.81, table B.1) and of SOF55 (ITU-T T.87) for the processes that libjpeg does not decode. */
const unreadFrames: readonly [UnreadJpegCoding, frames: number[]][] = [
  ["lossless", [195, 203]],
  ["hierarchical", [197, 198, 199, 205, 206, 207]],
  ["jpeg-ls", [247]],
];

/**
 * Refuses the coding processes and precisions that no decoder here supports. libjpeg's error for them would look like
 * damage.
 * @throws cannot-process, with the name of the process
 */
export async function checkJpegCoding(read: ReadBytes): Promise<void> {
  for await (const { marker, start } of readHeaderSegments(read)) {
    for (const [coding, frames] of unreadFrames) if (frames.includes(marker)) refuse({ code: "jpeg-coding", coding });
    if (!isFrame(marker)) continue;
    const [depth] = await read(start + 4, 1);
    return depth === undefined || depth === 8 ? undefined : refuse({ code: "jpeg-depth", bits: depth });
  }
}

function refuse(reason: Reason): never {
  throw new DomainError("cannot-process", { reason });
}
