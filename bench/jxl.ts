// What JPEG XL would be worth as a target: @jsquash/jxl's encoder for one thread, beside AVIF and WebP as compress writes them.
// Photographs and interfaces of up to 4 megapixels: bytes, likeness, processor time.
// npm run bench:jxl [folder of the data packs]
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { argv, cpuUsage } from "node:process";
import createEncoder from "@jsquash/jxl/codec/enc/jxl_enc.js";
import sharp from "sharp";
import { decodeJxl } from "../packages/imaging/src/formats/jxl/decode.ts";
import { encoders } from "../packages/imaging/src/formats/write-picture.ts";
import { ssimulacra2 } from "../packages/imaging/src/quality/score/ssimulacra2.ts";
import type { Raster } from "../packages/imaging/src/raster/raster.ts";
import { dataPacks } from "./packs.ts";

const photos = join(await dataPacks(argv[2]), "photos");
const mostPixels = 4e6;
const quality = 75;
/** libjxl's own quality scale, and its effort; the rest are Squoosh's defaults. */
const settings = [
  { quality: 75, effort: 3 },
  { quality: 75, effort: 7 },
  { quality: 80, effort: 7 },
];
const others = {
  epf: -1,
  progressive: false,
  lossyPalette: false,
  decodingSpeedTier: 0,
  photonNoiseIso: 0,
  lossyModular: false,
  lossless: false,
};
const require = createRequire(import.meta.url);
const wasmBinary = await readFile(require.resolve("@jsquash/jxl/codec/enc/jxl_enc.wasm"));
const { encode } = await createEncoder({ noInitialRun: true, wasmBinary });
sharp.concurrency(1);

async function timed(work: () => Promise<Uint8Array>): Promise<{ seconds: number; bytes: Uint8Array }> {
  const begin = cpuUsage();
  const bytes = await work();
  const { user, system } = cpuUsage(begin);
  return { seconds: (user + system) / 1e6, bytes };
}

async function likeness(original: Raster<Uint8Array>, coded: Uint8Array): Promise<number> {
  const data = await sharp(coded).removeAlpha().toColourspace("srgb").raw().toBuffer();
  return ssimulacra2(original, { ...original, data });
}

console.log("picture, coding, bytes, SSIMULACRA 2.1, s a megapixel");
for (const name of (await readdir(photos)).sort()) {
  const image = sharp(join(photos, name)).removeAlpha().toColourspace("srgb");
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  if (width * height > mostPixels) continue;
  const original: Raster<Uint8Array> = { data, width, height, channels: 3 };
  const open = () => sharp(data, { raw: { width, height, channels: 3 } });
  const print = async (coding: string, work: () => Promise<Uint8Array>, asPng = async (bytes: Uint8Array) => bytes) => {
    const { seconds, bytes } = await timed(work);
    const score = await likeness(original, await asPng(bytes));
    const speed = (seconds * 1e6) / (width * height);
    console.log([name, coding, bytes.length, score.toFixed(1), speed.toFixed(2)].join("\t"));
  };
  for (const format of ["avif", "webp"] as const)
    await print(
      `${format} ${quality}`,
      async () => (await encoders[format](open(), { quality, minimizeBytes: true })).bytes,
    );
  const rgba = await open().ensureAlpha().raw().toBuffer();
  for (const { quality: own, effort } of settings)
    await print(
      `jxl ${own}, effort ${effort}`,
      async () => Uint8Array.from(encode(rgba, width, height, { ...others, quality: own, effort }) ?? []),
      async (bytes) => (await decodeJxl(bytes, { maxPixels: mostPixels }, () => {})).png ?? bytes,
    );
}
