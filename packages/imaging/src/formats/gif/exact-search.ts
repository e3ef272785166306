import type { StringSearch } from "./lzw-walk.ts";

/** The values that each pixel of a frame may take without a visible difference. */
export type ExactChoices = {
  /** The palette's index of the colour that must show. */
  wanted: Uint8Array;
  /**
   * 1 where the canvas already shows the colour and the transparent index does as well; 2 where only the transparent
   * index does.
   */
  leavable: Uint8Array;
  transparentIndex: number;
};

/**
 * The longest string that shows exactly the frame. If both the colour and the transparent index would do, it ranks
 * strings of equal length by the pixels they leave: a frame that sometimes leaves an unchanged pixel and sometimes
 * draws it splits every run into two kinds, and was twice as large as one that prefers to leave.
 */
export function createExactSearch({ wanted, leavable, transparentIndex }: ExactChoices): StringSearch {
  const pixelCount = wanted.length;
  const stackCodes = new Uint16Array(8192);
  const stackLengths = new Int32Array(8192);
  const stackDrawn = new Int32Array(8192);
  return (dictionary, position, match) => {
    const { children } = dictionary;
    let bestCode = -1;
    let bestLength = 0;
    let bestDrawn = 0;
    let depth = 0;
    // From the single indices on, walk each string that fits; a pixel with a choice forks the walk.
    const canLeaveFirst = leavable[position] as number;
    if (canLeaveFirst !== 2) {
      stackCodes[0] = wanted[position] as number;
      stackLengths[0] = 1;
      stackDrawn[0] = canLeaveFirst;
      depth = 1;
    }
    if (canLeaveFirst !== 0) {
      stackCodes[depth] = transparentIndex;
      stackLengths[depth] = 1;
      stackDrawn[depth] = 0;
      depth++;
    }
    while (depth > 0) {
      depth--;
      let code = stackCodes[depth] as number;
      let length = stackLengths[depth] as number;
      let drawn = stackDrawn[depth] as number;
      for (let at = position + length; at < pixelCount; at++) {
        const canLeave = leavable[at] as number;
        const drawnChild = canLeave === 2 ? 0 : (children[code * 256 + (wanted[at] as number)] as number);
        const leftChild = canLeave === 0 ? 0 : (children[code * 256 + transparentIndex] as number);
        if (drawnChild === 0 && leftChild === 0) break;
        length++;
        if (leftChild === 0) {
          code = drawnChild;
          drawn += canLeave;
          continue;
        }
        if (drawnChild !== 0) {
          stackCodes[depth] = drawnChild;
          stackLengths[depth] = length;
          stackDrawn[depth] = drawn + 1;
          depth++;
        }
        code = leftChild;
      }
      if (length > bestLength || (length === bestLength && drawn < bestDrawn)) {
        bestCode = code;
        bestLength = length;
        bestDrawn = drawn;
      }
    }
    match.code = bestCode;
    match.length = bestLength;
  };
}
