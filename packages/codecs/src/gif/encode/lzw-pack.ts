import { maximumCodes } from "./lzw-dictionary.ts";

/**
 * Packs LZW codes of variable code size into bytes, least significant bit first (GIF89a, appendix F). Adds the initial
 * clear code and the end of information code.
 * @param codes may include clear codes, which reset the code size
 */
export function packCodes(codes: Uint16Array, rootBits: number): Uint8Array {
  const clearCode = 1 << rootBits;
  const bytes = new Uint8Array(Math.ceil(((codes.length + 2) * 12) / 8) + 1);
  let position = 0;
  let buffer = 0;
  let bufferedBits = 0;
  let codeBits = rootBits + 1;
  /** The decoder's first unused code after it has read the current one. */
  let nextCode = clearCode + 1;
  const write = (code: number) => {
    buffer |= code << bufferedBits;
    bufferedBits += codeBits;
    while (bufferedBits >= 8) {
      bytes[position++] = buffer & 255;
      buffer >>>= 8;
      bufferedBits -= 8;
    }
  };
  write(clearCode);
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] as number;
    write(code);
    if (code === clearCode) {
      codeBits = rootBits + 1;
      nextCode = clearCode + 1;
    } else if (nextCode < maximumCodes) {
      // The first code after a clear code adds no entry to the decoder's table; each later one does.
      nextCode++;
      if (nextCode === 1 << codeBits && codeBits < 12) codeBits++;
    }
  }
  write(clearCode + 1);
  if (bufferedBits > 0) bytes[position++] = buffer & 255;
  return bytes.subarray(0, position);
}
