import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import sharp from "sharp";
import type { Raster } from "../../packages/codecs/src/raster/raster.ts";
import { readRgb } from "../read-rgb.ts";

/** One reference picture: sRGB, 8 bits, without alpha, never lossily coded at this size. */
export type BenchPicture = { name: string; kind: "photo" | "screen"; raw: Raster<Uint8Array>; id: string };

/** Largest area that is measured, megapixels: the metric takes a third of a second for one, and there are thousands of points. */
const measuredMegapixels = 1;

/**
 * The pictures of `folder`, one megapixel each by default: camera JPEGs are reduced (which also removes JPEG
 * artefacts), PNGs are cropped at their middle and keep their sharpness.
 */
export async function loadPictures(folder: string, megapixels = measuredMegapixels): Promise<BenchPicture[]> {
  const names = (await readdir(folder)).filter((name) => /[.](jpe?g|png)$/i.test(name)).sort();
  return Promise.all(names.map((name) => loadPicture(join(folder, name), megapixels)));
}

async function loadPicture(path: string, megapixels: number): Promise<BenchPicture> {
  const name = basename(path);
  const upright = sharp(await sharp(path).autoOrient().toColourspace("srgb").removeAlpha().png().toBuffer());
  const { width, height } = await upright.metadata();
  const ratio = Math.min(1, Math.sqrt((megapixels * 1e6) / (width * height)));
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  const small = /png$/i.test(name)
    ? upright.extract({ left: (width - w) >> 1, top: (height - h) >> 1, width: w, height: h })
    : upright.resize(w, h);
  const raw = await readRgb(small);
  return {
    name: name.replace(/[.][a-z]+$/i, ""),
    kind: name.startsWith("ui_") ? "screen" : "photo",
    raw,
    id: createHash("sha256").update(raw.data).digest("hex").slice(0, 16),
  };
}

/** The picture as sharp takes it. */
export const asSharp = ({ raw: { data, width, height, channels } }: BenchPicture) =>
  sharp(data, { raw: { width, height, channels } });
