import { type FileHandle, open, rm } from "node:fs/promises";
import type { OutputInfo, Sharp } from "sharp";
import type { IntegerSamples } from "./samples.ts";

/**
 * The picture on disk, unpacked, with alpha as its last channel: rows can be read in any order and written over, and
 * a picture of two hundred megapixels needs no more memory than a few of its rows.
 */
export type WorkFile = {
  path: string;
  width: number;
  height: number;
  /** Alpha among them: 2 for grey, 4 for colour. Its samples are not premultiplied. */
  channels: 2 | 4;
  depth: 8 | 16;
  readRows(rows: { first: number; count: number }): Promise<IntegerSamples>;
  writeRows(first: number, samples: IntegerSamples): Promise<void>;
  /** Closes the file and deletes it. */
  remove(): Promise<void>;
};

/**
 * Decodes a pipeline into an uncompressed TIFF at `path`, in the colours, profile and depth it has. libvips reads and
 * writes it row by row, and its pixels lie in one piece, so that they can be reached without libvips.
 */
export async function unpack(image: Sharp, path: string): Promise<WorkFile> {
  try {
    return await openUnpacked(await image.ensureAlpha().tiff({ compression: "none" }).toFile(path), path);
  } catch (problem) {
    await rm(path, { force: true });
    throw problem;
  }
}

async function openUnpacked({ width, height, channels }: OutputInfo, path: string): Promise<WorkFile> {
  const file = await open(path, "r+");
  try {
    const { pixelsAt, depth } = await readLayout(file);
    const rowBytes = (width * channels * depth) / 8;
    return {
      path,
      width,
      height,
      channels: channels === 2 ? 2 : 4,
      depth,
      async readRows({ first, count }) {
        const bytes = new Uint8Array(count * rowBytes);
        await file.read(bytes, 0, bytes.length, pixelsAt + first * rowBytes);
        return depth === 16 ? new Uint16Array(bytes.buffer) : bytes;
      },
      async writeRows(first, samples) {
        const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
        await file.write(bytes, 0, bytes.length, pixelsAt + first * rowBytes);
      },
      async remove() {
        await file.close();
        await rm(path, { force: true });
      },
    };
  } catch (problem) {
    await file.close();
    throw problem;
  }
}

/** Tags of TIFF 6.0, sections 8 and 3. */
const [bitsPerSample, stripOffsets, stripByteCounts] = [258, 273, 279];

/** Where the first pixel is. That the strips follow each other without a gap is checked, not believed. */
async function readLayout(file: FileHandle): Promise<{ pixelsAt: number; depth: 8 | 16 }> {
  const read = async (at: number, length: number) => (await file.read(Buffer.alloc(length), 0, length, at)).buffer;
  const head = await read(0, 8);
  if (head.toString("latin1", 0, 4) !== "II*\0") throw new Error("the unpacked picture is no little-endian TIFF");
  const directory = head.readUInt32LE(4);
  const count = (await read(directory, 2)).readUInt16LE(0);
  const entries = await read(directory + 2, count * 12);
  const valuesOf = async (tag: number): Promise<number[]> => {
    for (let at = 0; at < entries.length; at += 12) {
      if (entries.readUInt16LE(at) !== tag) continue;
      const size = entries.readUInt16LE(at + 2) === 3 ? 2 : 4;
      const length = entries.readUInt32LE(at + 4);
      const isInside = length * size <= 4;
      const values = isInside
        ? entries.subarray(at + 8, at + 12)
        : await read(entries.readUInt32LE(at + 8), length * size);
      return Array.from({ length }, (_, i) => values.readUIntLE(i * size, size));
    }
    throw new Error(`the unpacked picture lacks tag ${tag}`);
  };
  const [bits, starts, lengths] = [
    await valuesOf(bitsPerSample),
    await valuesOf(stripOffsets),
    await valuesOf(stripByteCounts),
  ];
  const pixelsAt = starts[0] ?? 0;
  let next = pixelsAt;
  for (const [i, start] of starts.entries()) {
    if (start !== next) throw new Error("the unpacked picture's strips do not follow each other");
    next += lengths[i] ?? 0;
  }
  return { pixelsAt, depth: bits[0] === 16 ? 16 : 8 };
}
