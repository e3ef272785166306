// Compressing WebP photographs beside sharp at the same setting of libwebp: processor time, bytes and likeness, in turn in one process.
// npm run bench:webp [folder of the data packs] [rounds]
import { mkdtempSync, rmSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv, cpuUsage } from "node:process";
import sharp from "sharp";
import { createImaging } from "../packages/imaging/src/imaging.ts";
import { encoderSetting } from "../packages/imaging/src/quality/scale.ts";
import { ssimulacra2 } from "../packages/imaging/src/quality/score/ssimulacra2.ts";
import type { Raster } from "../packages/imaging/src/raster/raster.ts";
import { dataPacks } from "./packs.ts";

const photos = join(await dataPacks(argv[2]), "photos");
const rounds = Number(argv[3] ?? 3);
const quality = 75;
const sidePx = 2600;
const folder = mkdtempSync(join(tmpdir(), "tintype-bench-"));
const [source, result] = [join(folder, "source.webp"), join(folder, "result.webp")];
const imaging = createImaging();

async function timed<Result>(work: () => Promise<Result>): Promise<{ ms: number; answer: Result }> {
  const begin = cpuUsage();
  const answer = await work();
  const { user, system } = cpuUsage(begin);
  return { ms: (user + system) / 1000, answer };
}
const runRaw = () =>
  sharp(source)
    .webp({ quality: encoderSetting("webp-plain", quality) })
    .toBuffer();
async function runOurs(): Promise<Buffer> {
  const limits = { megapixelsIn: 200, megapixelsOut: 200 };
  await imaging.run(
    { name: "compress", options: { quality }, inputPath: source, outputPath: result, limits },
    { signal: new AbortController().signal, progress: () => {} },
  );
  return readFile(result);
}
async function pixelsOf(file: Uint8Array): Promise<Raster<Uint8Array>> {
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: 3, data };
}
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const rows = [];
for (const name of (await readdir(photos)).filter((name) => /[.](jpe?g|png)$/i.test(name)).sort()) {
  await sharp(join(photos, name))
    .autoOrient()
    .resize(sidePx, sidePx, { fit: "inside", withoutEnlargement: true })
    .webp({ quality: 98 })
    .toFile(source);
  const ratios: number[] = [];
  let raw: Uint8Array = new Uint8Array();
  let ours = raw;
  for (let round = -1; round < rounds; round++) {
    const [theirs, own] = [await timed(runRaw), await timed(runOurs)];
    [raw, ours] = [theirs.answer, own.answer];
    if (round >= 0) ratios.push(own.ms / theirs.ms); // compilers have finished
  }
  const original = await pixelsOf(await readFile(source));
  rows.push({
    picture: name,
    "time / sharp": median(ratios).toFixed(2),
    "bytes / sharp": (ours.length / raw.length).toFixed(2),
    score: ssimulacra2(original, await pixelsOf(ours)).toFixed(1),
    "sharp's score": ssimulacra2(original, await pixelsOf(raw)).toFixed(1),
  });
}
console.table(rows);
rmSync(folder, { recursive: true });
