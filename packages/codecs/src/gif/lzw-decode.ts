import { CodecError } from "../error.ts";

const maximumCodes = 4096;

/**
 * Decodes a frame's image data (GIF89a, 22 and appendix F) into `into`, starting at the LZW minimum code size at
 * `offset`. Data after the last pixel is ignored.
 * @returns the number of pixels: fewer than `into` has if the data ends early, which browsers tolerate
 * @throws damaged for an undefined code, or a code size outside 1 to 8
 */
export function decodeLzw(bytes: Uint8Array, offset: number, into: Uint8Array): number {
  const rootBits = bytes[offset] as number;
  if (rootBits < 1 || rootBits > 8)
    throw new CodecError("damaged", { fault: { code: "gif-damaged", fault: "bad-frame" } });
  const clearCode = 1 << rootBits;
  const endCode = clearCode + 1;
  const prefix = new Uint16Array(maximumCodes);
  const suffix = new Uint8Array(maximumCodes);
  const first = new Uint8Array(maximumCodes);
  const lengths = new Uint16Array(maximumCodes);
  for (let code = 0; code < clearCode; code++) {
    suffix[code] = code;
    first[code] = code;
    lengths[code] = 1;
  }
  let nextCode = endCode + 1;
  let codeBits = rootBits + 1;
  let previous = -1;
  let buffer = 0;
  let bufferedBits = 0;
  let position = offset + 1;
  let blockLeft = 0;
  let written = 0;
  while (written < into.length) {
    while (bufferedBits < codeBits) {
      if (blockLeft === 0) {
        blockLeft = bytes[position++] as number;
        if (blockLeft === 0) return written;
      }
      buffer |= (bytes[position++] as number) << bufferedBits;
      bufferedBits += 8;
      blockLeft--;
    }
    const code = buffer & ((1 << codeBits) - 1);
    buffer >>>= codeBits;
    bufferedBits -= codeBits;
    if (code === clearCode) {
      nextCode = endCode + 1;
      codeBits = rootBits + 1;
      previous = -1;
      continue;
    }
    if (code === endCode) return written;
    if (code > nextCode || (code === nextCode && (previous < 0 || nextCode === maximumCodes)))
      throw new CodecError("damaged", { fault: { code: "gif-damaged", fault: "bad-frame" } });
    if (previous >= 0 && nextCode < maximumCodes) {
      prefix[nextCode] = previous;
      // KwKwK case: the code is the entry being added, whose last index is the first index of the previous string.
      suffix[nextCode] = first[code === nextCode ? previous : code] as number;
      first[nextCode] = first[previous] as number;
      lengths[nextCode] = (lengths[previous] as number) + 1;
      nextCode++;
      if ((nextCode & ((1 << codeBits) - 1)) === 0 && codeBits < 12) codeBits++;
    }
    const length = lengths[code] as number;
    let walk = code;
    for (let at = written + length - 1; at >= written; at--) {
      into[at] = suffix[walk] as number; // writes past the end of a typed array are dropped
      walk = prefix[walk] as number;
    }
    written += length;
    previous = code;
  }
  return into.length;
}
