import {
  asWords,
  bytesOf,
  depthOf,
  type IntegerSamples,
  type Raster,
  type RasterShape,
  shapeOf,
} from "@tintype/codecs/raster";
import sharp, { type Sharp } from "sharp";
import { type ColourSpace, inColour } from "../colour/in-colour.ts";
import { readDirectory, tiffLayout } from "./tiff-directory.ts";
import { tiffHead } from "./tiff-head.ts";
import { readSampleLayout } from "./tiff-layout.ts";

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
  const profile = readDirectory(layout, layout.first).entries.find(({ tag }) => tag === profileTag)?.values;
  const { depth, pageStarts } = readSampleLayout((position, length) => file.subarray(position, position + length));
  const [start = 0] = pageStarts;
  const samples = file.subarray(start, start + (info.width * info.height * info.channels * depth) / 8);
  const raster: Raster = {
    width: info.width,
    height: info.height,
    channels: info.channels as Raster["channels"], // opening rejects other channel counts
    data: depth === 16 ? asWords(samples) : samples,
    profile: profile && file.subarray(profile.start, profile.end),
  };
  return { ...raster, open: (colour) => inColour(sharp(file, unlimited), ownColours(shapeOf(raster)), colour) };
}

const profileTag = 34675;

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
