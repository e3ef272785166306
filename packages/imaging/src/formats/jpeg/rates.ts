import { eob, zrl } from "../../kernels/layout/jpeg-blocks.ts";

/** The weight and the distribution of the prior, as if so many symbols had been counted before the first block. */
const priorCount = 20;
const priorAcShare = Float32Array.from({ length: 256 }, (_, symbol) => {
  if (symbol === eob) return 0.2;
  if (symbol === zrl) return 0.01;
  const [run, size] = [symbol >> 4, symbol & 15];
  return size === 0 ? 0.00001 : 0.35 * 0.42 ** size * 0.72 ** run;
});
/** An EOB run codes the ends of several blocks by one symbol, so that an EOB costs less than a symbol. */
const eobShare = 0.96;

/** The prior distribution of the magnitude categories of DC differences. */
const priorDcShare = Float32Array.from({ length: 16 }, (_, size) => 0.3 * 0.7 ** size);

/** Bits of a symbol's code, from its count and the logarithm of the total. */
const codeBits = (seen: number, most: number) => Math.min(16, Math.max(1, most - Math.log2(seen)));

/** Writes to `rates` the estimated bits of each AC symbol (run and size) and its additional bits, from the counts so far. */
export function estimateAcRates(counts: Uint32Array, rates: Float32Array): void {
  let total = priorCount;
  for (let symbol = 0; symbol < 256; symbol++) total += counts[symbol] as number;
  const most = Math.log2(total);
  for (let symbol = 0; symbol < 256; symbol++) {
    const seen = (counts[symbol] as number) + priorCount * (priorAcShare[symbol] as number);
    const code = codeBits(seen, most);
    rates[symbol] = symbol === eob ? code * eobShare : code + (symbol & 15);
  }
}

/** The same for each magnitude category of a DC difference. */
export function estimateDcRates(counts: Uint32Array, rates: Float32Array): void {
  const most = Math.log2(counts.reduce((sum, count) => sum + count, priorCount));
  counts.forEach((count, size) => {
    rates[size] = codeBits(count + priorCount * (priorDcShare[size] as number), most) + size;
  });
}
