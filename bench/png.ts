// Checks the claims on lossless PNG: npm run bench:png [files or folder of pictures]. CPU time and bytes compared
// with sharp with per-row filters at zlib level 3, alternating; the best of five. Each result is read back and
// compared.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { argv } from "node:process";
import sharp from "sharp";
import type { Channels } from "../packages/codecs/src/raster/raster.ts";
import { rowsOf } from "../packages/codecs/src/raster/rows.ts";
import { packRows } from "../packages/imaging/src/formats/png/pack-rows.ts";
import { dataPacks } from "./packs.ts";
import { timed } from "./timed.ts";

const photos = argv.length > 2 ? undefined : join(await dataPacks(undefined), "photos");
const files = photos ? (await readdir(photos)).map((name) => join(photos, name)) : argv.slice(2);
sharp.concurrency(1);

console.log("| picture | sharp, ms a megapixel | ours, ms a megapixel | time | bytes |\n|---|--:|--:|--:|--:|");
for (const file of files) {
  const { data, info } = await sharp(file, { limitInputPixels: false }).raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const channels = info.channels as Channels; // raw() gives no other
  const ways = {
    sharp: () =>
      sharp(data, { raw: { width, height, channels }, limitInputPixels: false })
        .png({ adaptiveFiltering: true, compressionLevel: 3 })
        .toBuffer(),
    ours: () => collect(packRows(rowsOf<Uint8Array>({ data, width, height, channels }))),
  };
  const best = { sharp: Number.POSITIVE_INFINITY, ours: Number.POSITIVE_INFINITY };
  const bytes = { sharp: 0, ours: 0 };
  for (let round = 0; round < 5; round++)
    for (const way of ["sharp", "ours"] as const) {
      const { answer: written, cpu } = await timed(ways[way]);
      best[way] = Math.min(best[way], (cpu * 1e9) / (width * height));
      bytes[way] = written.length;
      if (round > 0 || way === "sharp") continue;
      const back = await sharp(written, { limitInputPixels: false }).raw().toBuffer();
      if (!back.equals(data)) throw new Error(`${file} does not come back as it was`);
    }
  const times = `${best.sharp.toFixed(1)} | ${best.ours.toFixed(1)} | ${(best.ours / best.sharp).toFixed(2)}`;
  const more = (bytes.ours / bytes.sharp - 1) * 100;
  console.log(`| ${file.replace(/.*\//, "")} | ${times} | ${more > 0 ? "+" : ""}${more.toFixed(1)} % |`);
}

async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}
