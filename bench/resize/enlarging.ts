import { readdir } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { resampleLanczos } from "../../packages/imaging/src/resample/lanczos.ts";
import { readRgb } from "../read-rgb.ts";
import { luma } from "../upscale/likeness-on-luma.ts";
import { psnr } from "./score.ts";

/**
 * Mean PSNR on luma of Lanczos enlargements of a benchmark set (Set5, Set14), with `factor` pixels cut at each edge, as
 * papers on super-resolution report it.
 */
export async function scoreEnlarging(folder: string, factor: 2 | 4) {
  const files = (await readdir(join(folder, `image_SRF_${factor}`))).filter((name) => name.includes("_HR"));
  let [ours, theirs] = [0, 0];
  for (const file of files) {
    const at = (name: string) => readRgb(sharp(join(folder, `image_SRF_${factor}`, name)));
    const [high, low] = [await at(file), await at(file.replace("_HR", "_LR"))];
    const { width, height } = high;
    const raw = { width: low.width, height: low.height, channels: 3 } as const;
    const libvips = await sharp(low.data, { raw }).resize(width, height, { fit: "fill" }).raw().toBuffer();
    const score = (data: Uint8Array) => psnr(luma(high, high, factor).data, luma({ ...high, data }, high, factor).data);
    ours += score(resampleLanczos(low, { width, height }).data) / files.length;
    theirs += score(libvips) / files.length;
  }
  return { pictures: files.length, ours, theirs };
}
