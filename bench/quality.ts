// Measures the likeness at each encoder's own settings, and writes the table for the engine: npm run bench:quality [pictures]
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { argv } from "node:process";
import sharp from "sharp";
import { encodePixels } from "../packages/codecs/src/jpeg/encode/encode-pixels.ts";
import { quantizerFor } from "../packages/codecs/src/jpeg/encode/quantizer.ts";
import { type Encoding, encodings } from "../packages/imaging/src/quality/encodings.ts";
import { measure } from "./bytes/measure.ts";
import { asSharp, type BenchPicture, loadPictures } from "./bytes/pictures.ts";
import { dataPacks, figuresPath } from "./packs.ts";

const dense = [1, 3, 5, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 70, 75, 80, 85, 90, 93, 95, 97, 99, 100];
const from = (least: number) => dense.filter((setting) => setting >= least);
/** Below their first setting here, mozjpeg and AVIF score under 0, where results look alike. */
const settings: Record<Encoding, number[]> = {
  "jpeg-420": from(8),
  "own-jpeg-420": from(1),
  "own-jpeg-444": from(1),
  "webp-sharp": from(1),
  "webp-plain": from(1),
  "avif-420": from(5),
  "avif-444": from(5),
};

const own = (isHalved: boolean) => (picture: BenchPicture, setting: number) =>
  encodePixels(picture.raw, { quantizer: quantizerFor({ setting, isHalved }), isHalved });
const bySharp = (encoding: keyof typeof encodings) => (picture: BenchPicture, setting: number) =>
  encodings[encoding](asSharp(picture), setting).toBuffer();
const ways: Record<Encoding, (picture: BenchPicture, setting: number) => Promise<Uint8Array>> = {
  "jpeg-420": bySharp("jpeg-420"),
  "own-jpeg-420": own(true),
  "own-jpeg-444": own(false),
  "webp-sharp": bySharp("webp-sharp"),
  "webp-plain": bySharp("webp-plain"),
  "avif-420": bySharp("avif-420"),
  "avif-444": bySharp("avif-444"),
};

sharp.concurrency(1);
const folder = argv[2] ?? join(await dataPacks(undefined), "photos");
const photos = (await loadPictures(folder)).filter(({ kind }) => kind === "photo");
const rows: string[] = [];
// Its keys are all encodings.
for (const [way, encode] of Object.entries(ways) as [Encoding, (typeof ways)[Encoding]][]) {
  const candidate = { name: way, version: "1", encode };
  const curve: [number, number][] = [];
  for (const setting of settings[way]) {
    const points = await Promise.all(photos.map((photo) => measure(photo, candidate, setting)));
    const score = points.reduce((sum, point) => sum + point.score, 0) / points.length;
    console.log(way, setting, score.toFixed(2));
    // A setting that scores no better than the one before is useless.
    if (score > (curve.at(-1)?.[1] ?? Number.NEGATIVE_INFINITY) + 0.05) curve.push([setting, Number(score.toFixed(1))]);
  }
  rows.push(`  "${way}": [\n${curve.map(([setting, score]) => `    [${setting}, ${score}],`).join("\n")}\n  ],`);
}
const target = figuresPath("packages/imaging/src/quality/measured.ts", folder);
await writeFile(
  target,
  `// Written by \`npm run bench:quality\` from ${photos.length} photographs; do not edit.
import type { Curve } from "./curve.ts";
import type { Encoding } from "./encodings.ts";

/** The encoder's own setting, and the mean SSIMULACRA 2 score of photographs encoded with it; both rise strictly. */
export const measured: Record<Encoding, Curve> = {
${rows.join("\n")}
};
`,
);
