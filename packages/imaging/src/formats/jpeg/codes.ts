import { codeLengths } from "../png/huffman.ts";

/** The Huffman code of a scan: `lengths` by symbol, 0 for those that do not occur. */
export type ScanCode = { lengths: Uint8Array; bits: number };

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
  return { lengths, bits: counts.reduce((sum, count, symbol) => sum + count * (lengths[symbol] as number), 0) };
}

/** How many symbols have a code of each length from 1 to 16, and the symbols in the order of their codes. */
export function describeCode({ lengths }: ScanCode): { numbers: number[]; symbols: number[] } {
  const byLength = Array.from({ length: longestCode }, (_, i) =>
    Array.from(lengths.keys()).filter((symbol) => lengths[symbol] === i + 1),
  );
  return { numbers: byLength.map(({ length }) => length), symbols: byLength.flat() };
}

/** Code << 8 | length, by symbol. */
export function codeWords(code: ScanCode): Uint32Array {
  const { numbers, symbols } = describeCode(code);
  const words = new Uint32Array(code.lengths.length);
  let [next, taken] = [0, 0];
  numbers.forEach((number, i) => {
    for (const symbol of symbols.slice(taken, taken + number)) words[symbol] = (next++ << 8) | (i + 1);
    taken += number;
    next <<= 1;
  });
  return words;
}
