import { hasAlpha, type RasterShape } from "./raster.ts";

/** Type codes of TIFF 6.0, section 2. */
const [short, long, undefinedBytes] = [3, 4, 7] as const;
type Entry = [tag: number, type: typeof short | typeof long | typeof undefinedBytes, values: ArrayLike<number>];

/** The approximate size of a strip. */
const stripBytes = 1 << 20;

/**
 * The header of an uncompressed TIFF: the samples follow in raster order, interleaved, 16-bit ones little-endian. It is
 * the only container that carries all such samples uncompressed with their profile, and libvips reads it strip by
 * strip.
 */
export function tiffHead(shape: RasterShape): Buffer {
  const { channels } = shape;
  return tiffHeadFor({
    ...shape,
    photometric: channels < 3 ? blackIsZero : rgb,
    extraSample: hasAlpha(channels) ? straightAlpha : undefined,
  });
}

/** Values of PhotometricInterpretation and ExtraSamples (TIFF 6.0, sections 8 and 18). */
const [blackIsZero, rgb, straightAlpha] = [1, 2, 2] as const;

type TiffShape = Omit<RasterShape, "channels"> & {
  channels: number;
  photometric: number;
  /** The ExtraSamples value of one channel after the colours. */
  extraSample?: number | undefined;
  /** As EXIF's; upright if omitted. */
  orientation?: number | undefined;
};

/** The same for any colour space, such as CMYK, and for a picture that the reader must orient. */
export function tiffHeadFor({ width, height, channels, depth, profile, ...meaning }: TiffShape): Buffer {
  const rowBytes = (width * channels * depth) / 8;
  const rowsPerStrip = Math.max(1, Math.floor(stripBytes / rowBytes));
  const strips = Array.from({ length: Math.ceil(height / rowsPerStrip) }, (_, i) => i * rowsPerStrip);
  const stripLengths = strips.map((top) => Math.min(rowsPerStrip, height - top) * rowBytes);
  const entries = (pixelsAt: number): Entry[] => [
    [256, long, [width]],
    [257, long, [height]],
    [258, short, Array(channels).fill(depth)], // BitsPerSample
    [259, short, [1]], // uncompressed
    [262, short, [meaning.photometric]],
    [273, long, strips.map((top) => pixelsAt + top * rowBytes)],
    ...(meaning.orientation ? ([[274, short, [meaning.orientation]]] satisfies Entry[]) : []),
    [277, short, [channels]],
    [278, long, [rowsPerStrip]],
    [279, long, stripLengths],
    ...(meaning.extraSample ? ([[338, short, [meaning.extraSample]]] satisfies Entry[]) : []),
    ...(profile ? ([[34675, undefinedBytes, profile]] satisfies Entry[]) : []),
  ];
  // The offset of the samples depends on the header's length but not on its values: it is written once to measure it.
  return write(entries(write(entries(0)).length));
}

const directoryAt = 8;

function write(entries: Entry[]): Buffer {
  const afterDirectory = directoryAt + 2 + entries.length * 12 + 4;
  const outside = entries.reduce((sum, entry) => sum + lengthOutside(entry), 0);
  const head = Buffer.alloc(afterDirectory + outside);
  head.write("II*\0", "latin1");
  head.writeUInt32LE(directoryAt, 4);
  head.writeUInt16LE(entries.length, directoryAt);
  let next = afterDirectory;
  for (const [i, entry] of entries.entries()) {
    const [tag, type, values] = entry;
    const at = directoryAt + 2 + i * 12;
    head.writeUInt16LE(tag, at);
    head.writeUInt16LE(type, at + 2);
    head.writeUInt32LE(values.length, at + 4);
    const length = lengthOutside(entry);
    if (length > 0) head.writeUInt32LE(next, at + 8);
    writeValues(head, { at: length > 0 ? next : at + 8, type, values });
    next += length;
  }
  return head;
}

const sizes = { [short]: 2, [long]: 4, [undefinedBytes]: 1 } as const;

/** Values of up to four bytes are stored in the entry; others start at an even offset (TIFF 6.0, section 2). */
function lengthOutside([, type, values]: Entry): number {
  const length = values.length * sizes[type];
  return length > 4 ? length + (length & 1) : 0;
}

function writeValues(head: Buffer, { at, type, values }: { at: number; type: Entry[1]; values: ArrayLike<number> }) {
  const size = sizes[type];
  for (let i = 0; i < values.length; i += 1) head.writeUIntLE(values[i] ?? 0, at + i * size, size);
}
