/** The contents of a GIF test file, frame by frame. */
export type GifFile = {
  width: number;
  height: number;
  /** Colours as 0xrrggbb; 2 to 256 of them. */
  globalColours?: number[];
  /** 0 loops forever; undefined plays once. */
  loopCount?: number;
  frames: GifFileFrame[];
  /** Complete extension blocks, written before the frames. */
  extensions?: number[][];
  hasTrailer?: boolean;
};

export type GifFileFrame = {
  left: number;
  top: number;
  width: number;
  height: number;
  colours?: number[];
  transparentIndex?: number;
  /** 0 to 7, as in the file. */
  disposal?: number;
  delayCs?: number;
  isInterlaced?: boolean;
  /** In raster order, not interlaced: [width * height], each below the number of colours. */
  indices: number[];
};

const word = (value: number) => [value & 255, value >> 8];
const ascii = (text: string) => [...text].map((letter) => letter.charCodeAt(0));

/** Builds a GIF with literal LZW codes only, independently of our encoders. */
export function gifFile(file: GifFile): Uint8Array {
  const { width, height, globalColours, loopCount, frames, extensions = [], hasTrailer = true } = file;
  return Uint8Array.from([
    ...ascii("GIF89a"),
    ...word(width),
    ...word(height),
    globalColours ? 0x80 | (tableBits(globalColours) - 1) : 0,
    0,
    0,
    ...table(globalColours),
    ...(loopCount === undefined ? [] : [0x21, 0xff, 11, ...ascii("NETSCAPE2.0"), 3, 1, ...word(loopCount), 0]),
    ...extensions.flat(),
    ...frames.flatMap(frameBytes),
    ...(hasTrailer ? [0x3b] : []),
  ]);
}

function frameBytes(frame: GifFileFrame): number[] {
  const { left, top, width, height, colours, transparentIndex, disposal = 0, delayCs = 0, isInterlaced } = frame;
  const flags = (disposal << 2) | (transparentIndex === undefined ? 0 : 1);
  return [
    ...[0x21, 0xf9, 4, flags, ...word(delayCs), transparentIndex ?? 0, 0],
    ...[0x2c, ...word(left), ...word(top), ...word(width), ...word(height)],
    (colours ? 0x80 | (tableBits(colours) - 1) : 0) | (isInterlaced ? 0x40 : 0),
    ...table(colours),
    8,
    ...blocks(pack(isInterlaced ? interlaced(frame) : frame.indices)),
  ];
}

const tableBits = (colours: number[]) => Math.max(1, Math.ceil(Math.log2(colours.length)));

function table(colours: number[] | undefined): number[] {
  if (!colours) return [];
  const bytes = colours.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]);
  return [...bytes, ...Array<number>(3 * 2 ** tableBits(colours) - bytes.length).fill(0)];
}

function interlaced({ width, height, indices }: GifFileFrame): number[] {
  const rows = [...Array(height).keys()];
  const passes = [
    ...rows.filter((y) => y % 8 === 0),
    ...rows.filter((y) => y % 8 === 4),
    ...rows.filter((y) => y % 4 === 2),
    ...rows.filter((y) => y % 2 === 1),
  ];
  return passes.flatMap((y) => indices.slice(y * width, (y + 1) * width));
}

/** Nine-bit codes: a clear code every 200 pixels keeps every decoder's code size at nine bits. */
function pack(indices: number[]): number[] {
  const codes = indices.flatMap((index, at) => (at % 200 === 0 ? [256, index] : [index]));
  const bits = [...codes, 257].flatMap((code) => Array.from({ length: 9 }, (_, bit) => (code >> bit) & 1));
  return Array.from({ length: Math.ceil(bits.length / 8) }, (_, byte) =>
    bits.slice(byte * 8, byte * 8 + 8).reduce((sum, bit, place) => sum + (bit << place), 0),
  );
}

function blocks(data: number[]): number[] {
  const parts = Array.from({ length: Math.ceil(data.length / 255) }, (_, part) =>
    data.slice(part * 255, part * 255 + 255),
  );
  return [...parts.flatMap((part) => [part.length, ...part]), 0];
}
