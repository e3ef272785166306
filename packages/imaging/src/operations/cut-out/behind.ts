import type { Size } from "@tintype/codecs/raster";
import sharp from "sharp";
import type { Source } from "../../formats/open-source.ts";
import { decodeToFile, type PictureFile } from "../../raster/picture-file.ts";

/** The background cropped to cover a region of this size, centred: sRGB, flattened over white. */
export const coverWith = (background: Source, { width, height }: Size) =>
  background
    .read({ colour: "srgb" })
    .flatten({ background: "#ffffff" })
    .resize({ width, height, fit: "cover" })
    .toColourspace("srgb");

/** Sigma at blur 1 and 100, as shares of the longer side. */
const blurShare = { min: 0.001, max: 0.03 };
/** From this sigma on, the blur hides the loss of reducing the picture first. */
const minSigmaPx = 2;

/**
 * The original, blurred, in a file at `path`. The subject is masked out, or its colours would form a halo around it:
 * each pixel is the mean of the background near it.
 */
export async function blurredBehind(
  original: Source,
  { cutOutPath, blur, path }: { cutOutPath: string; blur: number; path: string },
): Promise<PictureFile> {
  const { width, height } = original;
  const longer = Math.max(width, height);
  const share = blurShare.min + (blurShare.max - blurShare.min) * (blur / 100) ** 1.3;
  const side = Math.min(longer, Math.max(512, Math.ceil(minSigmaPx / share)));
  const small = { width: scaled(width, side / longer), height: scaled(height, side / longer) };
  const colours = await original
    .read({ colour: "srgb" })
    .flatten({ background: "#ffffff" })
    .resize({ ...small, fit: "fill" })
    .toColourspace("srgb")
    .removeAlpha()
    .raw()
    .toBuffer();
  const ground = await sharp(cutOutPath, unlimited)
    .extractChannel("alpha")
    .resize({ ...small, fit: "fill" })
    .negate()
    .toColourspace("b-w")
    .raw()
    .toBuffer();
  // Sixteen bits: the blur averages colours times weights, which eight bits would round to black.
  const pixels = new Uint16Array(small.width * small.height * 4);
  for (let i = 0; i < ground.length; i += 1) {
    for (let k = 0; k < 3; k += 1) pixels[i * 4 + k] = 257 * (colours[i * 3 + k] as number);
    pixels[i * 4 + 3] = 257 * Math.max(minWeight, ground[i] as number);
  }
  const { data } = await sharp(pixels, { raw: { ...small, channels: 4 } })
    .blur(Math.max(0.3, share * side))
    .toColourspace("rgb16")
    .raw({ depth: "ushort" })
    .toBuffer({ resolveWithObject: true });
  const blurred = new Uint16Array(data.buffer, data.byteOffset, data.byteLength / 2);
  const image = sharp(blurred, { raw: { ...small, channels: 4 } }).removeAlpha();
  return decodeToFile(image.resize({ width, height, fit: "fill", kernel: "cubic" }).toColourspace("srgb"), path);
}

/** Of 255. Deep inside the subject there is no background to average: if the subject is erased there, its own colours show. */
const minWeight = 6;

/** The shadow's offset and softness, as shares of the longer side. */
export const shadowShares = { fall: 0.02, softness: 0.015 };
const shadowSidePx = 640;

/** The subject's shadow as one grey channel in a file at `path`: its alpha, offset downwards and blurred. */
export async function shadowOf(alpha: Buffer, { width, height, path }: Size & { path: string }): Promise<PictureFile> {
  const longer = Math.max(width, height);
  const scale = Math.min(1, shadowSidePx / longer);
  const small = { width: scaled(width, scale), height: scaled(height, scale) };
  const fall = Math.min(small.height - 1, Math.round(shadowShares.fall * longer * scale));
  const soft = await sharp(alpha, { raw: { width, height, channels: 1 } })
    .resize({ ...small, fit: "fill" })
    .toColourspace("b-w")
    .raw()
    .toBuffer();
  const fallen = Buffer.concat([Buffer.alloc(fall * small.width), soft]).subarray(0, soft.length);
  const blurred = await sharp(fallen, { raw: { ...small, channels: 1 } })
    .blur(Math.max(0.3, shadowShares.softness * longer * scale))
    .toColourspace("b-w")
    .raw()
    .toBuffer();
  const image = sharp(blurred, { raw: { ...small, channels: 1 } });
  return decodeToFile(
    image.resize({ width, height, fit: "fill", kernel: "cubic" }).toColourspace("b-w").extractChannel(0),
    path,
  );
}

const scaled = (length: number, scale: number) => Math.max(1, Math.round(length * scale));
const unlimited = { limitInputPixels: false } as const;
