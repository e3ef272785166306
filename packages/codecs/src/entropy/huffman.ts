/**
 * Code lengths of an optimal prefix code for `counts` (Huffman, 1952); 0 for symbols that do not occur. At least two
 * symbols must occur. To limit codes to `longest` bits, counts are halved until they fit, which costs next to nothing.
 */
export function codeLengths(counts: Uint32Array, longest: number): Uint8Array {
  const order = byCount(counts);
  const depths = treeDepths(order.map((symbol) => counts[symbol] as number));
  if ((depths[0] as number) > longest)
    return codeLengths(
      counts.map((count) => (count + 1) >> 1),
      longest,
    );
  const lengths = new Uint8Array(counts.length);
  for (let i = 0; i < order.length; i++) lengths[order[i] as number] = depths[i] as number;
  return lengths;
}

/** The symbols that occur, in ascending order of count. */
function byCount(counts: Uint32Array): Uint32Array {
  const keys = new Float64Array(counts.length);
  let used = 0;
  for (let symbol = 0; symbol < counts.length; symbol++)
    if (counts[symbol]) keys[used++] = (counts[symbol] as number) * 512 + symbol;
  const sorted = keys.subarray(0, used).sort();
  const symbols = new Uint32Array(used);
  for (let i = 0; i < used; i++) symbols[i] = (sorted[i] as number) % 512;
  return symbols;
}

/** The depth of each leaf, for weights in ascending order: repeatedly joins the two lightest nodes. */
function treeDepths(leaves: Uint32Array): Uint8Array {
  const count = leaves.length;
  const root = 2 * count - 2;
  const weights = new Float64Array(root + 1).fill(Number.POSITIVE_INFINITY);
  weights.set(leaves);
  const parents = new Uint16Array(root + 1);
  // Joined nodes are created in ascending order too: the lightest node is the next leaf or the next joined one.
  let [leaf, joined] = [0, count];
  const lightest = () => (leaf < count && (weights[leaf] as number) <= (weights[joined] as number) ? leaf++ : joined++);
  for (let node = count; node <= root; node++) {
    const [a, b] = [lightest(), lightest()];
    weights[node] = (weights[a] as number) + (weights[b] as number);
    parents[a] = node;
    parents[b] = node;
  }
  const depths = new Uint8Array(root + 1);
  for (let node = root - 1; node >= 0; node--) depths[node] = (depths[parents[node] as number] as number) + 1;
  return depths.subarray(0, count);
}

/** The canonical code of each symbol (RFC 1951, 3.2.2), bit-reversed as deflate packs it (3.1.1). */
export function codesOf(lengths: Uint8Array): Uint16Array {
  const next = new Uint16Array(17);
  for (const length of lengths) if (length > 0) next[length + 1] = (next[length + 1] as number) + 1;
  for (let length = 1; length < next.length; length++)
    next[length] = ((next[length] as number) + (next[length - 1] as number)) << 1;
  const codes = new Uint16Array(lengths.length);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol] as number;
    if (length === 0) continue;
    const code = next[length] as number;
    next[length] = code + 1;
    codes[symbol] = bitReversed(code, length);
  }
  return codes;
}

function bitReversed(code: number, length: number): number {
  let result = 0;
  for (let bit = 0; bit < length; bit++) result |= ((code >> bit) & 1) << (length - 1 - bit);
  return result;
}

/** A Huffman table as DHT specifies it (ITU-T T.81, B.2.4.2), and its codes (C.2). */
type HuffmanTable = {
  /** BITS: the number of codes of each length from 1 to 16. */
  bits: number[];
  /** HUFFVAL: the symbols in code order. */
  huffval: number[];
  /** Code << 8 | length, by symbol. */
  codes: Uint32Array;
};

const longestCode = 16;

/**
 * The optimal table for these counts (ITU-T T.81, K.2). No code may consist of 1-bits only: a reserved symbol, rarer
 * than all others, takes that code.
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

/** Estimates the bits of a Huffman code for these counts, at least one per symbol; also returns the number of symbols. */
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
