/** Tags of TIFF 6.0, sections 8 and 3. */
const tags = { bitsPerSample: 258, stripOffsets: 273, stripLengths: 279 } as const;

/** Bytes of a file from a position on. */
type ReadFrom = (position: number, length: number) => Buffer;

/** `pageStarts`: the file offset of each page's first sample; its rows are contiguous. */
export type SampleLayout = { depth: 8 | 16; pageStarts: number[] };

/**
 * Locates the samples in an uncompressed TIFF written by libvips, which stores each frame of an animation as a page.
 */
export function readSampleLayout(read: ReadFrom): SampleLayout {
  const head = read(0, 8);
  if (head.toString("latin1", 0, 4) !== "II*\0") throw new Error("libvips wrote no little-endian TIFF");
  const layout: SampleLayout = { depth: 8, pageStarts: [] };
  for (let at = head.readUInt32LE(4); at !== 0; ) {
    const count = read(at, 2).readUInt16LE(0);
    const directory = read(at + 2, count * 12 + 4);
    const numbersOf = (tag: number) => numbersIn(directory.subarray(0, count * 12), { tag, read });
    layout.pageStarts.push(startOfStrips(numbersOf(tags.stripOffsets), numbersOf(tags.stripLengths)));
    layout.depth = numbersOf(tags.bitsPerSample)[0] === 16 ? 16 : 8;
    at = directory.readUInt32LE(count * 12);
  }
  return layout;
}

function numbersIn(entries: Buffer, { tag, read }: { tag: number; read: ReadFrom }): number[] {
  for (let at = 0; at < entries.length; at += 12) {
    if (entries.readUInt16LE(at) !== tag) continue;
    const size = entries.readUInt16LE(at + 2) === 3 ? 2 : 4;
    const length = entries.readUInt32LE(at + 4);
    const values =
      length * size <= 4 ? entries.subarray(at + 8, at + 12) : read(entries.readUInt32LE(at + 8), length * size);
    return Array.from({ length }, (_, i) => values.readUIntLE(i * size, size));
  }
  throw new Error(`libvips wrote a TIFF without tag ${tag}`);
}

/** The offset of the first strip. @throws Error if the strips are not contiguous */
function startOfStrips(offsets: number[], lengths: number[]): number {
  const start = offsets[0] ?? 0;
  let next = start;
  for (const [i, offset] of offsets.entries()) {
    if (offset !== next) throw new Error("libvips wrote the strips of a TIFF apart");
    next += lengths[i] ?? 0;
  }
  return start;
}
