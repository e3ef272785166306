import { codeLengths } from "../png/huffman.ts";

/** The Huffman code of a scan. */
export type ScanCode = {
  /** How many symbols have a code of each length from 1 to 16, and the symbols in the order of their codes. */
  numbers: number[];
  symbols: number[];
  /** Code << 8 | length, by symbol. */
  words: Uint32Array;
};

const longestCode = 16;

/**
 * The code that gives these counts the fewest bits. The code of ones alone belongs to no symbol (ITU-T T.81, C.2): one that
 * occurs less often than all others takes it.
 */
export function codeFor(counts: Uint32Array): ScanCode {
  const withNone = new Uint32Array(counts.length + 1);
  withNone[0] = 1;
  withNone.set(counts, 1);
  const lengths = codeLengths(withNone, longestCode).subarray(1);
  const numbers = new Array<number>(longestCode).fill(0);
  const symbols: number[] = [];
  const words = new Uint32Array(counts.length);
  let next = 0;
  for (let length = 1; length <= longestCode; length++) {
    for (let symbol = lengths.indexOf(length); symbol >= 0; symbol = lengths.indexOf(length, symbol + 1)) {
      words[symbol] = (next++ << 8) | length;
      symbols.push(symbol);
      numbers[length - 1] = (numbers[length - 1] ?? 0) + 1;
    }
    next <<= 1;
  }
  return { numbers, symbols, words };
}

/** About the bits that a code for these counts takes, and how many symbols it has: a code is no shorter than a bit. */
export function leastBits(counts: Uint32Array): { bits: number; symbols: number } {
  let [total, bits, symbols] = [0, 0, 0];
  for (const count of counts) total += count;
  for (const count of counts) {
    if (count === 0) continue;
    symbols += 1;
    bits += count * Math.max(1, Math.log2(total / count));
  }
  return { bits, symbols };
}
