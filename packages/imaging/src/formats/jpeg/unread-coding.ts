import { DomainError } from "@tintype/contract";
import type { ReadBytes } from "../byte-window.ts";
import { isFrame } from "./facts.ts";

/** Codes of SOFn (ITU-T T.81, table B.1) and of SOF55 (ITU-T T.87) for the processes that libjpeg does not decode. */
const unreadFrames: Record<number, string> = {
  195: "is coded without loss",
  197: "is coded in a hierarchy of sizes",
  198: "is coded in a hierarchy of sizes",
  199: "is coded in a hierarchy of sizes",
  203: "is coded without loss",
  205: "is coded in a hierarchy of sizes",
  206: "is coded in a hierarchy of sizes",
  207: "is coded in a hierarchy of sizes",
  247: "is JPEG-LS",
};
const [startOfScan, endOfImage] = [0xda, 0xd9];

/**
 * Refuses the coding processes and precisions that no decoder here supports. libjpeg's error for them would look like
 * damage.
 * @throws cannot-process, with the name of the process
 */
export async function checkJpegCoding(read: ReadBytes): Promise<void> {
  for (let at = 2; ; ) {
    const head = await read(at, 5);
    const marker = head[1] ?? 0;
    if (head.length < 5 || head[0] !== 0xff || marker === startOfScan || marker === endOfImage) return;
    if (marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    const coding = unreadFrames[marker];
    if (coding) refuse(coding);
    if (isFrame(marker)) {
      const depth = head[4];
      return depth === 8 ? undefined : refuse(`has ${depth} bits a channel`);
    }
    at += 2 + head.readUInt16BE(2);
  }
}

function refuse(coding: string): never {
  throw new DomainError("cannot-process", {
    detail: `This JPEG ${coding}, which is not read. Please save it as an ordinary JPEG of 8 bits, or as PNG or TIFF.`,
  });
}
