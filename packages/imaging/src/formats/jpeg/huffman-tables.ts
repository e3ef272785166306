/** A Huffman table of ITU-T T.81 for a reader that skips values: it needs the bits of each symbol only. */
export type HuffmanTable = {
  /** By the next 16 bits: the code's length in bits 8 to 12, its symbol (RRRRSSSS) below. 0: no code. */
  symbols: Uint16Array;
  /**
   * By the next `packedBits` bits: all symbols of one block that are in them together with their extra bits. Their bits
   * in bits 0 to 3, 0 if there is none; the coefficients that they cover in bits 4 to 11; bit 12 if the last is EOB.
   */
  packed: Uint16Array;
};

export const packedBits = 12;
export const isEndOfBlock = 1 << 12;
const zeroRun = 0xf0;

/** Adds the tables of a DHT segment (B.2.4.2), by class and destination (Tc, Th) as in the segment. */
export function addHuffmanTables(tables: Map<number, HuffmanTable>, segment: Uint8Array): void {
  for (let at = 0; at + 17 <= segment.length; ) {
    const id = segment[at] ?? 0;
    const counts = segment.subarray(at + 1, at + 17);
    const end = at + 17 + counts.reduce((sum, count) => sum + count, 0);
    const symbols = symbolsOf(counts, segment.subarray(at + 17, end));
    tables.set(id, { symbols, packed: packSymbols(symbols, { isAc: id >= 0x10 }) });
    at = end;
  }
}

/** Annex C: codes of each length (BITS) in the order of HUFFVAL. */
function symbolsOf(counts: Uint8Array, values: Uint8Array): Uint16Array {
  const symbols = new Uint16Array(1 << 16);
  let [code, used] = [0, 0];
  for (let length = 1; length <= 16; length++) {
    for (let left = counts[length - 1] ?? 0; left > 0; left--, code++) {
      const from = code << (16 - length);
      symbols.fill((length << 8) | (values[used++] ?? 0), from, from + (1 << (16 - length)));
    }
    code <<= 1;
  }
  return symbols;
}

function packSymbols(symbols: Uint16Array, { isAc }: { isAc: boolean }): Uint16Array {
  return Uint16Array.from({ length: 1 << packedBits }, (_, word) => {
    let [used, covered, end] = [0, 0, 0];
    while (end === 0 && covered < 64) {
      const entry = symbols[(word << (16 - packedBits + used)) & 0xffff] ?? 0;
      const symbol = entry & 0xff;
      const bits = (entry >> 8) + (symbol & 15);
      if (entry === 0 || used + bits > packedBits) break;
      used += bits;
      if (!isAc) break; // a block has one DC difference
      if ((symbol & 15) === 0 && symbol !== zeroRun) end = isEndOfBlock;
      else covered += (symbol >> 4) + 1;
    }
    return end | (covered << 4) | used;
  });
}
