import { endOfBlock, sixteenZeros } from "../../kernels/layout/jpeg-blocks.ts";

/** Symbols that count as seen before the first block, and how they are spread: after a few rows they weigh nothing. */
const assumed = 20;
const assumedShare = Float32Array.from({ length: 256 }, (_, symbol) => {
  if (symbol === endOfBlock) return 0.2;
  if (symbol === sixteenZeros) return 0.01;
  const [run, size] = [symbol >> 4, symbol & 15];
  return size === 0 ? 0.00001 : 0.35 * 0.42 ** size * 0.72 ** run;
});
/** In a progressive scan one symbol can end many blocks. */
const endShare = 0.96;

/** How the sizes of differences of means are spread before any was seen. */
const assumedMeanShare = Float32Array.from({ length: 16 }, (_, size) => 0.3 * 0.7 ** size);

/** Bits of a symbol's code, from how often it occurred and the logarithm of all occurrences. */
const codeBits = (seen: number, most: number) => Math.min(16, Math.max(1, most - Math.log2(seen)));

/**
 * About how many bits each run and size will take, with the value behind it, from how often each has occurred so far. `rates`
 * gets them.
 */
export function estimateRates(counts: Uint32Array, rates: Float32Array): void {
  let total = assumed;
  for (let symbol = 0; symbol < 256; symbol++) total += counts[symbol] as number;
  const most = Math.log2(total);
  for (let symbol = 0; symbol < 256; symbol++) {
    const seen = (counts[symbol] as number) + assumed * (assumedShare[symbol] as number);
    const code = codeBits(seen, most);
    rates[symbol] = symbol === endOfBlock ? code * endShare : code + (symbol & 15);
  }
}

/** The same for each size of a difference of means. */
export function estimateMeanRates(counts: Uint32Array, rates: Float32Array): void {
  const most = Math.log2(counts.reduce((sum, count) => sum + count, assumed));
  counts.forEach((count, size) => {
    rates[size] = codeBits(count + assumed * (assumedMeanShare[size] as number), most) + size;
  });
}
