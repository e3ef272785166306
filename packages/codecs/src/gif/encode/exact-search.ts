import type { StringSearch } from "./lzw-walk.ts";

/** The indices that each pixel of a frame may take without changing the rendered frame. */
export type ExactChoices = {
  /** The palette index of the pixel's colour. */
  wanted: Uint8Array;
  /** 0: the pixel must be drawn. 1: the colour or the transparent index. 2: only the transparent index. */
  leavable: Uint8Array;
  transparentIndex: number;
};

/**
 * Lossless LZW (GIF89a, appendix F): finds the longest dictionary string that renders the frame exactly. Strings of
 * equal length are ranked by the unchanged pixels that they encode as transparent: an arbitrary choice between colour
 * and transparent index splits runs, and made a frame twice as large.
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
    // Depth-first search from the root codes. A pixel with two permitted indices forks it.
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
