import { codeLengths } from "../../entropy/huffman.ts";

/** A Huffman table as DHT specifies it (ITU-T T.81, B.2.4.2), and its codes (C.2). */
export type HuffmanTable = {
  /** BITS: how many codes there are of each length from 1 to 16. */
  bits: number[];
  /** HUFFVAL: the symbols in the order of their codes. */
  huffval: number[];
  /** Code << 8 | length, by symbol. */
  codes: Uint32Array;
};

const longestCode = 16;

/**
 * The optimal table for these counts (ITU-T T.81, K.2). No symbol may have the code of ones alone: a reserved symbol, rarer than
 * all others, takes it.
 */
export function huffmanTableFor(counts: Uint32Array): HuffmanTable {
  const withReserved = new Uint32Array(counts.length + 1);
  withReserved[0] = 1;
  withReserved.set(counts, 1);
  const lengths = codeLengths(withReserved, longestCode).subarray(1);
  const bits = new Array<number>(longestCode).fill(0);
  const huffval: number[] = [];
  const codes = new Uint32Array(counts.length);
  let next = 0;
  for (let length = 1; length <= longestCode; length++) {
    for (let symbol = lengths.indexOf(length); symbol >= 0; symbol = lengths.indexOf(length, symbol + 1)) {
      codes[symbol] = (next++ << 8) | length;
      huffval.push(symbol);
      bits[length - 1] = (bits[length - 1] ?? 0) + 1;
    }
    next <<= 1;
  }
  return { bits, huffval, codes };
}

/** An estimate of the bits that a Huffman code takes for these counts, at least one for each symbol, and the number of symbols. */
export function entropyBits(counts: Uint32Array): { bits: number; symbols: number } {
  let [total, bits, symbols] = [0, 0, 0];
  for (const count of counts) total += count;
  for (const count of counts) {
    if (count === 0) continue;
    symbols += 1;
    bits += count * Math.max(1, Math.log2(total / count));
  }
  return { bits, symbols };
}
