import sharp, { type Sharp } from "sharp";
import { type ColourSpace, inColour } from "../colour/in-colour.ts";
import { asWords, bytesOf, depthOf, type IntegerSamples, type Raster, type RasterShape, shapeOf } from "./raster.ts";
import { readDirectory, type TiffDirectory, tiffLayout } from "./tiff-directory.ts";
import { tiffHead } from "./tiff-head.ts";

/** A still picture in memory that sharp can read: encoders inspect its samples without decoding it twice. */
export type DecodedPicture<T extends IntegerSamples = IntegerSamples> = Raster<T> & {
  /** A new pipeline from these samples, with their ICC profile. */
  open(colour?: ColourSpace): Sharp;
};

/**
 * Runs the pipeline once. The samples are in an uncompressed TIFF, the only container in which sharp exchanges every
 * depth and number of channels together with the profile: three bytes per pixel for a photograph, freed with the
 * object.
 */
export async function decodePicture(image: Sharp): Promise<DecodedPicture> {
  const { data: file, info } = await image.clone().tiff({ compression: "none" }).toBuffer({ resolveWithObject: true });
  const layout = tiffLayout(file);
  const directory = readDirectory(layout, layout.first);
  const profile = directory.entries.find(({ tag }) => tag === tags.profile)?.values;
  const raster: Raster = {
    width: info.width,
    height: info.height,
    channels: info.channels as Raster["channels"], // opening rejects other channel counts
    data: samplesIn(file, directory),
    profile: profile && file.subarray(profile.start, profile.end),
  };
  return { ...raster, open: (colour) => inColour(sharp(file, unlimited), ownColours(shapeOf(raster)), colour) };
}

/** Makes samples readable for sharp. It takes raw 8-bit samples without a profile; all others are wrapped in a TIFF. */
export function asDecodedPicture<T extends IntegerSamples>(raster: Raster<T>): DecodedPicture<T> {
  const file = isPlain(raster) ? undefined : Buffer.concat([tiffHead(shapeOf(raster)), bytesOf(raster.data)]);
  return {
    ...raster,
    open: (colour) => inColour(sharp(file ?? raster.data, optionsFor(raster)), ownColours(shapeOf(raster)), colour),
  };
}

/**
 * A zeroed picture, to be filled before it is opened. Its samples follow their TIFF header, so they are never copied.
 */
export function createPicture({ depth, ...shape }: RasterShape): DecodedPicture {
  const { width, height, channels, profile } = shape;
  const head = depth === 8 && !profile ? Buffer.alloc(0) : tiffHead({ ...shape, depth });
  const file = Buffer.alloc(head.length + (width * height * channels * depth) / 8);
  head.copy(file);
  const samplesAt = file.byteOffset + head.length;
  const data =
    depth === 16
      ? new Uint16Array(file.buffer, samplesAt, (file.length - head.length) / 2)
      : new Uint8Array(file.buffer, samplesAt, file.length - head.length);
  const raster: Raster = { ...shape, data };
  return {
    ...raster,
    open: (colour) => inColour(sharp(file, optionsFor(raster)), ownColours(shapeOf(raster)), colour),
  };
}

const isPlain = ({ data, profile }: Raster) => depthOf(data) === 8 && !profile;
const unlimited = { limitInputPixels: false } as const;
function optionsFor(raster: Raster) {
  const { width, height, channels } = raster;
  return isPlain(raster) ? { ...unlimited, raw: { width, height, channels } } : unlimited;
}

/** The colour facts that `inColour` has to preserve. */
export const ownColours = ({ channels, profile, depth }: RasterShape) => ({
  isGrey: channels < 3,
  hasProfile: profile !== undefined,
  depth,
});

const tags = { bitsPerSample: 258, stripOffsets: 273, stripLengths: 279, profile: 34675 } as const;

const numbersOf = ({ entries }: TiffDirectory, wanted: number) =>
  entries.find(({ tag }) => tag === wanted)?.numbers() ?? [];

/** libtiff writes the strips contiguously, so they are read in place; separate strips are concatenated. */
function samplesIn(file: Buffer, directory: TiffDirectory): IntegerSamples {
  const offsets = numbersOf(directory, tags.stripOffsets);
  const lengths = numbersOf(directory, tags.stripLengths);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const start = offsets[0] ?? 0;
  const isOnePiece = offsets.every((at, i) => i === 0 || at === (offsets[i - 1] ?? 0) + (lengths[i - 1] ?? 0));
  const bytes = isOnePiece
    ? file.subarray(start, start + total)
    : Buffer.concat(offsets.map((at, i) => file.subarray(at, at + (lengths[i] ?? 0))));
  return numbersOf(directory, tags.bitsPerSample)[0] === 16 ? asWords(bytes) : bytes;
}
