// Checks the claims on resize: linear light when shrinking, no shift when enlarging, and the cost. npm run
// bench:resize [folder of the data packs]

import { join } from "node:path";
import { argv } from "node:process";
import sharp from "sharp";
import { resized } from "../packages/codecs/src/raster/raster.ts";
import { rowsOf, writeInto } from "../packages/codecs/src/raster/rows.ts";
import { resampleSteps } from "../packages/imaging/src/resample/resample.ts";
import { finish } from "../packages/imaging/src/resample/steps.ts";
import { dataPacks } from "./packs.ts";
import { scoreEnlarging } from "./resize/enlarging.ts";
import { referenceShrink } from "./resize/reference.ts";
import { scenes } from "./resize/scenes.ts";
import { differences, printTable, psnr } from "./resize/score.ts";
import { compareSpeed } from "./resize/speed.ts";

sharp.concurrency(1);
sharp.cache(false);
const packs = await dataPacks(argv[2]);
const percent = (share: number) => `${(share * 100).toFixed(2)} %`;

const enlarged = [];
for (const set of ["Set5", "Set14"])
  for (const factor of [2, 4] as const) {
    const { ours, theirs } = await scoreEnlarging(join(packs, "upscale", set), factor);
    enlarged.push({ set, factor: `x${factor}`, ours: ours.toFixed(2), libvips: theirs.toFixed(2) });
  }
printTable("Larger by Lanczos: PSNR on luma, dB", enlarged);

const shrunk = [];
for await (const { name, picture, targetWidth } of scenes(join(packs, "photos"))) {
  const target = { width: targetWidth, height: Math.round((picture.height * targetWidth) / picture.width) };
  const truth = referenceShrink(picture, target);
  const ours = resized(picture, target);
  finish(resampleSteps(rowsOf(picture), target, writeInto(ours)));
  const raw = { width: picture.width, height: picture.height, channels: picture.channels };
  const stored = await sharp(picture.data, { raw })
    .resize(target.width, target.height, { fit: "fill" })
    .raw()
    .toBuffer();
  const [gaps, storedGaps] = [differences(ours.data, truth), differences(stored, truth)];
  shrunk.push({
    picture: name,
    "ours, dB": psnr(ours.data, truth).toFixed(1),
    "gamma space, dB": psnr(stored, truth).toFixed(1),
    "ours off by > 3": percent(gaps.visible),
    "gamma off by > 3": percent(storedGaps.visible),
    "light gamma loses": storedGaps.bias.toFixed(2),
  });
}
printTable("Smaller by 2.5 to 2.6: against Lanczos in linear light, in double precision", shrunk);

const speeds = (await compareSpeed(join(packs, "photos"))).map(({ name, best }) => ({
  case: name,
  "ours, ms": best["ours"]?.toFixed(0) ?? "",
  "sharp in gamma space": best["gamma"]?.toFixed(0) ?? "",
  "sharp in linear light": best["linear"]?.toFixed(0) ?? "",
  "of which encoding": best["encoding"]?.toFixed(0) ?? "",
  "gamma / ours": ((best["gamma"] ?? 0) / (best["ours"] ?? 1)).toFixed(2),
  "linear / ours": ((best["linear"] ?? 0) / (best["ours"] ?? 1)).toFixed(2),
}));
printTable("File to file, the same encoder and settings, processor ms on one core", speeds);
