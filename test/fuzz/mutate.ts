/** Random numbers in [0, 1), reproducible by seed: Marsaglia's 32-bit xorshift. */
export function seededRandom(seed: number): () => number {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

export type Random = () => number;
export const below = (random: Random, end: number): number => Math.floor(random() * end);
export function pick<T>(random: Random, values: readonly T[]): T {
  const value = values[below(random, values.length)];
  if (value === undefined) throw new Error("There is nothing to pick from.");
  return value;
}

/** Lengths, counts and offsets that parsers of file formats tend to mishandle. */
const edges = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff];

type Mutation = (bytes: Uint8Array, random: Random, other: Uint8Array) => Uint8Array;

const mutations: readonly Mutation[] = [
  function flipBits(bytes, random) {
    const made = new Uint8Array(bytes); // Buffer.slice would share its memory
    for (let i = 0; i <= below(random, 16); i++) {
      const at = below(random, made.length);
      made[at] = (made[at] ?? 0) ^ (1 << below(random, 8));
    }
    return made;
  },
  function writeEdge(bytes, random) {
    const made = new Uint8Array(bytes); // Buffer.slice would share its memory
    const size = pick(random, [1, 2, 4]);
    // Most bytes that control a parser are at the start.
    const at = below(random, Math.max(1, (random() < 0.7 ? Math.min(600, made.length) : made.length) - size));
    const view = new DataView(made.buffer, made.byteOffset);
    const value = pick(random, edges);
    if (made.length < at + size) return made;
    if (size === 1) view.setUint8(at, value & 0xff);
    else if (size === 2) view.setUint16(at, value & 0xffff, random() < 0.5);
    else view.setUint32(at, value >>> 0, random() < 0.5);
    return made;
  },
  (bytes, random) => bytes.slice(0, below(random, bytes.length + 1)),
  function repeatPart(bytes, random) {
    const from = below(random, bytes.length);
    const part = bytes.subarray(from, from + 1 + below(random, 2000));
    const times = 1 + below(random, 40);
    return Buffer.concat([bytes.subarray(0, from), ...Array<Uint8Array>(times).fill(part), bytes.subarray(from)]);
  },
  function removePart(bytes, random) {
    const from = below(random, bytes.length);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + 1 + below(random, 500))]);
  },
  (bytes, random, other) =>
    Buffer.concat([bytes.subarray(0, below(random, bytes.length)), other.subarray(below(random, other.length))]),
  function fillPart(bytes, random) {
    const made = new Uint8Array(bytes); // Buffer.slice would share its memory
    const from = below(random, made.length);
    const end = Math.min(made.length, from + below(random, 300));
    return made.fill(pick(random, [0, 0xff, below(random, 256)]), from, end);
  },
];

/** Applies one to four mutations. `other` is a file from which parts may be copied. */
export function mutate(bytes: Uint8Array, random: Random, other: Uint8Array): Uint8Array {
  let made = bytes;
  for (let i = 0; i <= below(random, 4); i++) if (made.length > 0) made = pick(random, mutations)(made, random, other);
  return made;
}
