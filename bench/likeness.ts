// How much one quality differs in appearance between JPEG, WebP and AVIF, per photograph; prints a table. npm run
// bench:likeness [folder of photographs] [every nth of them]
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { argv } from "node:process";
import sharp from "sharp";
import type { Raster } from "../packages/codecs/src/raster/raster.ts";
import { likenessTo } from "../packages/codecs/src/score/ssimulacra2.ts";
import { formatModules } from "../packages/imaging/src/formats/registry.ts";
import { asDecodedPicture } from "../packages/imaging/src/raster/decoded-picture.ts";
import { dataPacks } from "./packs.ts";

const formats = ["jpeg", "webp", "avif"] as const;
const qualities = [40, 60, 75, 90];
/** Points of SSIMULACRA 2. */
const mostApart = 5;
/** px: cropped from the middle, so that no pixel is resampled. */
const largest = { width: 512, height: 384 };

sharp.concurrency(1);
const folder = argv[2] ?? join(await dataPacks(undefined), "photos");
const nth = Number(argv[3] ?? 1);
const names = (await readdir(folder)).filter((name) => /[.](avif|jpe?g|png|webp)$/i.test(name) && !/^ui_/.test(name));

async function load(path: string): Promise<Raster<Uint8Array>> {
  const upright = sharp(await sharp(path).autoOrient().toColourspace("srgb").removeAlpha().png().toBuffer());
  const whole = await upright.metadata();
  const [width, height] = [Math.min(whole.width, largest.width), Math.min(whole.height, largest.height)];
  const [left, top] = [(whole.width - width) >> 1, (whole.height - height) >> 1];
  return { width, height, channels: 3, data: await upright.extract({ left, top, width, height }).raw().toBuffer() };
}

const apart = (scores: readonly number[]) => Math.max(...scores) - Math.min(...scores);
const found = new Map(qualities.map((quality): [number, number[][]] => [quality, []]));
for (const name of names.sort().filter((_, i) => i % nth === Math.min(2, nth - 1))) {
  const picture = await load(join(folder, name));
  const likeness = likenessTo(picture);
  for (const quality of qualities) {
    const scores: number[] = [];
    for (const format of formats) {
      const { bytes } = await formatModules[format].encode(asDecodedPicture(picture).open(), {
        quality,
        minimizeBytes: true,
      });
      const data = await sharp(bytes).toColourspace("srgb").removeAlpha().raw().toBuffer();
      scores.push(likeness({ ...picture, data }));
    }
    found.get(quality)?.push(scores);
  }
}

console.log(
  `| quality | photographs | within ${mostApart} points | JPEG and AVIF | median | most |\n|---|---|---|---|---|---|`,
);
for (const [quality, all] of found) {
  const spreads = all.map(apart).sort((a, b) => a - b);
  const within = (list: readonly number[]) => list.filter((points) => points <= mostApart).length;
  const ofTwo = all.map(([jpeg = 0, , avif = 0]) => Math.abs(jpeg - avif));
  const [median = 0, most = 0] = [spreads[spreads.length >> 1], spreads.at(-1)];
  const figures = [quality, all.length, within(spreads), within(ofTwo), median.toFixed(1), most.toFixed(1)];
  console.log(`| ${figures.join(" | ")} |`);
}
