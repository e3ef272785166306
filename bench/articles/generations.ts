import sharp from "sharp";
import { ssimulacra2 } from "../../packages/codecs/src/score/ssimulacra2.ts";
import { mean } from "../averages.ts";
import { asSharp, type BenchPicture } from "../bytes/pictures.ts";
import { readRgb } from "../read-rgb.ts";

const quality = 85;
const shown = [1, 5, 20];
/** Simulates repeated sharing: cropping the left columns and top rows shifts the blocks. */
const cutPx = 3;

/** The likeness left after repeated saving as JPEG: unchanged in size, and cropped a little each time. */
export async function measureGenerations(photos: readonly BenchPicture[]): Promise<Record<string, string>> {
  const figures: Record<string, string> = {};
  for (const [name, cut] of [
    ["still", 0],
    ["cut", cutPx],
  ] as const) {
    const runs = await Promise.all(photos.slice(0, 4).map((photo) => scoresOf(photo, cut)));
    for (const generation of shown)
      figures[`generations.${name}.${generation}`] = mean(runs.map((run) => run.get(generation) ?? 0)).toFixed(0);
  }
  return figures;
}

async function scoresOf(photo: BenchPicture, cut: number): Promise<Map<number, number>> {
  const scores = new Map<number, number>();
  const { width, height } = photo.raw;
  let file = await asSharp(photo).jpeg({ quality }).toBuffer();
  for (let generation = 1; generation <= Math.max(...shown); generation += 1) {
    const off = cut * (generation - 1);
    if (shown.includes(generation)) {
      const area = { left: off, top: off, width: width - off, height: height - off };
      const [original, now] = await Promise.all([readRgb(asSharp(photo).extract(area)), readRgb(sharp(file))]);
      scores.set(generation, ssimulacra2(original, now));
    }
    const size = { width: width - off - cut, height: height - off - cut };
    file = await sharp(
      await sharp(file)
        .extract({ left: cut, top: cut, ...size })
        .png()
        .toBuffer(),
    )
      .jpeg({ quality })
      .toBuffer();
  }
  return scores;
}
