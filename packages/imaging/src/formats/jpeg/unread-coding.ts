import { DomainError } from "@tintype/contract";
import type { ReadBytes } from "../byte-window.ts";
import { isFrame } from "./facts.ts";

/** ITU-T T.81, table B.1, and T.87: frames of which libjpeg reads no pixels. */
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
 * Names the coding of an intact JPEG that no decoder here reads: libjpeg's error is the same as for damage.
 * @throws cannot-process
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
