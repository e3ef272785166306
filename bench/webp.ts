// Compressing WebP photographs and interfaces beside sharp's lossy WebP at the same setting: processor time, bytes and likeness, in turn in
// one process. Photographs are reduced to lossy WebP, interfaces are whole and lossless.
// npm run bench:webp [folder of the data packs] [rounds]
import { mkdtempSync, rmSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv } from "node:process";
import sharp from "sharp";
import { ssimulacra2 } from "../packages/codecs/src/score/ssimulacra2.ts";
import { createImaging } from "../packages/imaging/src/imaging.ts";
import { encoderSetting } from "../packages/imaging/src/quality/scale.ts";
import { median } from "./averages.ts";
import { dataPacks } from "./packs.ts";
import { readRgb } from "./read-rgb.ts";
import { runOperation } from "./run-operation.ts";
import { timed } from "./timed.ts";

const photos = join(await dataPacks(argv[2]), "photos");
const rounds = Number(argv[3] ?? 3);
const sidePx = 2600;
const folder = mkdtempSync(join(tmpdir(), "tintype-bench-"));
const [source, result] = [join(folder, "source.webp"), join(folder, "result.webp")];
const imaging = createImaging();

const runRaw = (quality: number) =>
  sharp(source)
    .webp({ quality: encoderSetting("webp-plain", quality) })
    .toBuffer();
async function runOurs(quality: number): Promise<Buffer> {
  await runOperation(imaging, { name: "compress", options: { quality }, inputPath: source, outputPath: result });
  return readFile(result);
}
const pixelsOf = (file: Uint8Array) => readRgb(sharp(file));

async function compareAt(quality: number, name: string) {
  const ratios: number[] = [];
  let raw: Uint8Array = new Uint8Array();
  let ours = raw;
  for (let round = -1; round < rounds; round++) {
    const [theirs, own] = [await timed(() => runRaw(quality)), await timed(() => runOurs(quality))];
    [raw, ours] = [theirs.answer, own.answer];
    if (round >= 0) ratios.push(own.cpu / theirs.cpu); // not during warm-up
  }
  const original = await pixelsOf(await readFile(source));
  return {
    picture: name,
    quality,
    "time / sharp": median(ratios).toFixed(2),
    "bytes / sharp": (ours.length / raw.length).toFixed(2),
    score: ssimulacra2(original, await pixelsOf(ours)).toFixed(1),
    "sharp's score": ssimulacra2(original, await pixelsOf(raw)).toFixed(1),
  };
}

const rows = [];
for (const name of (await readdir(photos)).filter((name) => /[.](jpe?g|png)$/i.test(name)).sort()) {
  const picture = sharp(join(photos, name)).autoOrient();
  const isInterface = name.startsWith("ui_");
  if (isInterface) await picture.webp({ lossless: true }).toFile(source);
  else
    await picture
      .resize(sidePx, sidePx, { fit: "inside", withoutEnlargement: true })
      .webp({ quality: 98 })
      .toFile(source);
  for (const quality of isInterface ? [60, 75, 90] : [75]) rows.push(await compareAt(quality, name));
}
console.table(rows);
rmSync(folder, { recursive: true });
