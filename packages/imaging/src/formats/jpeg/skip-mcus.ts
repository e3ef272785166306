import { type HuffmanTable, isEndOfBlock, packedBits } from "./huffman-tables.ts";

/** The tables of an MCU's blocks, in the order of the scan (ITU-T T.81, A.2). */
export type McuBlocks = readonly { dc: HuffmanTable; ac: HuffmanTable }[];

type SkipOptions = {
  blocks: McuBlocks;
  /** The offset of entropy-coded data. */
  start: number;
  /** MCUs to skip; by default all up to the next marker. */
  most?: number;
};

type Skipped = {
  mcus: number;
  /** The offset of the marker, or of the end of the file, if the data was read that far. */
  at: number;
  /** The data ended within an MCU. */
  isShort: boolean;
  /** A code is not in its table. */
  isInvalid: boolean;
  /** Fewer than 8 bits, all of them 1, followed the last MCU, as encoders pad it (F.1.2.3). */
  isPadded: boolean;
  /** Bits of the last `latest` MCUs together. */
  latestBits: number;
};

export const latest = 16;

/** Skips Huffman-coded MCUs of a sequential scan up to a marker, RSTm included (F.2.2). */
export function skipMcus(bytes: Uint8Array, { blocks, start, most = Number.POSITIVE_INFINITY }: SkipOptions): Skipped {
  const ends = new Float64Array(latest).fill(start * 8);
  /** The next `count` bits, left-aligned; after the data zeros follow, `added` of them. */
  let [at, bits, count, added] = [start, 0, 0, 0];
  let [mcus, isInvalid] = [0, false];

  /** At least 25 bits. X'FF' is followed by a stuffed X'00', fill bytes may precede both (B.1.1.5, as in libjpeg). */
  function refill(): void {
    for (; count <= 24; count += 8) {
      let byte = bytes[at] ?? 0;
      let next = at + 1;
      if (byte === 0xff) while (bytes[next] === 0xff) next++;
      if (at >= bytes.length || (byte === 0xff && bytes[next] !== 0)) {
        byte = 0;
        added += 8;
      } else at = byte === 0xff ? next + 1 : next;
      bits |= byte << (24 - count);
    }
  }

  /** @returns the symbol RRRRSSSS, whose extra bits are skipped too */
  function skipSymbol(table: HuffmanTable): number {
    const entry = table.symbols[bits >>> 16] as number;
    if (entry === 0) isInvalid = true;
    bits <<= entry >> 8;
    count -= entry >> 8;
    if (count < 16) refill();
    bits <<= entry & 15;
    count -= entry & 15;
    return entry & 0xff;
  }

  while (mcus < most && !isInvalid && (added === 0 || !isAtPadding())) {
    for (const { dc, ac } of blocks) {
      if (count < 16) refill();
      const difference = (dc.packed[bits >>> (32 - packedBits)] as number) & 15;
      bits <<= difference;
      count -= difference;
      if (difference === 0) skipSymbol(dc);
      for (let k = 1; k < 64 && !isInvalid; ) {
        if (count < 16) refill();
        const packed = ac.packed[bits >>> (32 - packedBits)] as number;
        const [used, covered] = [packed & 15, (packed >> 4) & 0xff];
        if (used > 0 && k + covered < 64) {
          bits <<= used;
          count -= used;
          k += covered;
          if (packed & isEndOfBlock) break;
        } else {
          const symbol = skipSymbol(ac);
          if ((symbol & 15) === 0 && symbol >> 4 < 15) break;
          k += (symbol >> 4) + 1;
        }
      }
    }
    if (count < added) break;
    ends[mcus++ % latest] = at * 8 - (count - added);
  }
  function isAtPadding(): boolean {
    const left = count - added;
    return left >= 0 && left < 8 && bits >>> (32 - 8) === (0xff << (8 - left)) % 256;
  }
  return {
    mcus,
    at,
    isShort: count < added,
    isInvalid,
    isPadded: added > 0 && isAtPadding(),
    latestBits: Math.max(...ends) - Math.min(...ends),
  };
}
