import { maximumCodes } from "./lzw-dictionary.ts";

/**
 * Packs codes into bytes of variable code size (GIF89a, appendix F): least significant bit first, each code as wide as the
 * decoder's table needs at that moment. Adds the first clear code and the end of information code.
 * @param codes clear codes among them reset the widths
 */
export function packCodes(codes: Uint16Array, rootBits: number): Uint8Array {
  const clearCode = 1 << rootBits;
  const bytes = new Uint8Array(Math.ceil(((codes.length + 2) * 12) / 8) + 1);
  let position = 0;
  let buffer = 0;
  let bufferedBits = 0;
  let codeBits = rootBits + 1;
  /** The number of the decoder's next entry, after it has read the current code. */
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
      // The first code after a clear makes no entry; each later one does.
      nextCode++;
      if (nextCode === 1 << codeBits && codeBits < 12) codeBits++;
    }
  }
  write(clearCode + 1);
  if (bufferedBits > 0) bytes[position++] = buffer & 255;
  return bytes.subarray(0, position);
}
