import type { IntegerSamples } from "@tintype/codecs/raster";
import { DomainError } from "@tintype/contract";
import { readDirectory, type TiffEntry, type TiffLayout, tiffLayout } from "../../raster/tiff-directory.ts";
import { sampleFormats } from "./samples.ts";
import { compressions } from "./unpack.ts";

/** Values of PhotometricInterpretation (TIFF 6.0, 8 and its supplements) that our decoder reads. */
export const photometrics = {
  whiteIsZero: 0,
  blackIsZero: 1,
  rgb: 2,
  palette: 3,
  cmyk: 5,
  yCbCr: 6,
  cieLab: 8,
  iccLab: 9,
} as const;

/** The layout of the pixels by the first IFD of a TIFF (TIFF 6.0, 8). */
export type TiffPicture = {
  width: number;
  height: number;
  /** BitsPerSample, the same for all channels. */
  bits: number;
  sampleFormat: number;
  channels: number;
  compression: number;
  photometric: number;
  predictor: number;
  /** ExtraSamples: the meanings of the channels after the colours. */
  extraSamples: number[];
  isPlanar: boolean;
  isTiled: boolean;
  /** FillOrder is 2: least significant bit first. */
  isReversed: boolean;
  isLittle: boolean;
  /** px, of a strip or tile. Strips have the width of the picture. */
  segmentWidth: number;
  segmentHeight: number;
  segments: { start: number; end: number }[];
  orientation: number | undefined;
  profile: Uint8Array | undefined;
  /** The values of a tag of the first IFD; empty if it is missing. */
  numbers(tag: number): number[];
  bytes(tag: number): Uint8Array | undefined;
};

/** Interleaved samples in raster order. */
export type TiffPixels = {
  data: IntegerSamples;
  channels: number;
  /** BlackIsZero, RGB or CMYK. */
  photometric: number;
  /** 1: associated (premultiplied) alpha, 2: unassociated alpha (TIFF 6.0, 18). */
  extraSample: number | undefined;
};

/** The number of colour channels, which precede all extra samples. */
export function coloursOf({ photometric }: Pick<TiffPicture, "photometric">): number {
  if (photometric <= photometrics.blackIsZero || photometric === photometrics.palette) return 1;
  return photometric === photometrics.cmyk ? 4 : 3;
}

/**
 * Reads the first IFD of a TIFF or BigTIFF.
 * @throws broken-image without a size, samples or bits; cannot-process for channels of different BitsPerSample
 */
export function readTiffPicture(file: Uint8Array): TiffPicture {
  const layout = tiffLayout(file);
  const { entries } = readDirectory(layout, layout.first);
  const find = (tag: number) => entries.find((entry) => entry.tag === tag);
  const numbers = (tag: number) => numbersOf(layout, find(tag));
  const first = (tag: number, otherwise: number) => numbers(tag)[0] ?? otherwise;
  const bytes = (tag: number) => {
    const entry = find(tag);
    return entry && file.subarray(entry.values.start, entry.values.end);
  };
  const [width, height] = [first(256, 0), first(257, 0)];
  const isTiled = find(322) !== undefined;
  const segmentWidth = isTiled ? first(322, 0) : width;
  const segmentHeight = isTiled ? first(323, 0) : Math.min(first(278, height) || height, height);
  if (!(width > 0 && height > 0 && segmentWidth > 0 && segmentHeight > 0))
    throw new DomainError("broken-image", { cause: "TIFF: no size" });
  const bits = numbers(258);
  const [firstBits = 1] = bits;
  const channels = first(277, 1);
  if (firstBits < 1 || channels < 1) throw new DomainError("broken-image", { cause: "TIFF: samples without bits" });
  if (bits.slice(0, channels).some((value) => value !== firstBits))
    throw new DomainError("cannot-process", { reason: { code: "tiff-mixed-depths", bits } });
  const starts = numbers(isTiled ? 324 : 273);
  const lengths = numbers(isTiled ? 325 : 279);
  return {
    width,
    height,
    bits: firstBits,
    sampleFormat: first(339, sampleFormats.unsigned),
    channels,
    compression: first(259, compressions.none),
    photometric: first(262, photometrics.whiteIsZero),
    predictor: first(317, 1),
    extraSamples: numbers(338),
    isPlanar: first(284, 1) === 2,
    isTiled,
    isReversed: first(266, 1) === 2,
    isLittle: layout.isLittle,
    segmentWidth,
    segmentHeight,
    // StripByteCounts may be missing: the strip then extends to the end of the file.
    segments: starts.map((start, i) => ({ start, end: start + (lengths[i] ?? file.length - start) })),
    orientation: numbers(274)[0],
    profile: bytes(34675),
    numbers,
    bytes,
  };
}

/** The values of an entry of any numeric field type (TIFF 6.0, 2; BigTIFF). */
function numbersOf({ view, isLittle }: TiffLayout, entry: TiffEntry | undefined): number[] {
  const read = entry && readers[entry.type];
  if (!entry || !read) return [];
  const found: number[] = [];
  for (let at = entry.values.start; at + read.size <= entry.values.end; at += read.size)
    found.push(read.number(view, at, isLittle));
  return found;
}

type Reader = { size: number; number(view: DataView, at: number, isLittle: boolean): number };

const readers: Record<number, Reader> = {
  1: { size: 1, number: (view, at) => view.getUint8(at) },
  3: { size: 2, number: (view, at, isLittle) => view.getUint16(at, isLittle) },
  4: { size: 4, number: (view, at, isLittle) => view.getUint32(at, isLittle) },
  5: { size: 8, number: (view, at, isLittle) => view.getUint32(at, isLittle) / view.getUint32(at + 4, isLittle) },
  6: { size: 1, number: (view, at) => view.getInt8(at) },
  8: { size: 2, number: (view, at, isLittle) => view.getInt16(at, isLittle) },
  9: { size: 4, number: (view, at, isLittle) => view.getInt32(at, isLittle) },
  10: { size: 8, number: (view, at, isLittle) => view.getInt32(at, isLittle) / view.getInt32(at + 4, isLittle) },
  11: { size: 4, number: (view, at, isLittle) => view.getFloat32(at, isLittle) },
  12: { size: 8, number: (view, at, isLittle) => view.getFloat64(at, isLittle) },
  13: { size: 4, number: (view, at, isLittle) => view.getUint32(at, isLittle) },
  16: { size: 8, number: (view, at, isLittle) => Number(view.getBigUint64(at, isLittle)) },
  17: { size: 8, number: (view, at, isLittle) => Number(view.getBigInt64(at, isLittle)) },
  18: { size: 8, number: (view, at, isLittle) => Number(view.getBigUint64(at, isLittle)) },
};
