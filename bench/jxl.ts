// What JPEG XL would be worth as a target: @jsquash/jxl's encoder for one thread, beside AVIF and WebP as compress writes them.
// Photographs and interfaces of up to 4 megapixels: bytes, likeness, processor time.
// npm run bench:jxl [folder of the data packs]
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { argv } from "node:process";
import createEncoder from "@jsquash/jxl/codec/enc/jxl_enc.js";
import sharp from "sharp";
import { ssimulacra2 } from "../packages/codecs/src/score/ssimulacra2.ts";
import { decodeJxl } from "../packages/imaging/src/formats/jxl/decode.ts";
import { formatModules } from "../packages/imaging/src/formats/registry.ts";
import { dataPacks } from "./packs.ts";
import { readRgb } from "./read-rgb.ts";
import { timed } from "./timed.ts";

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

console.log("picture, coding, bytes, SSIMULACRA 2.1, s a megapixel");
for (const name of (await readdir(photos)).sort()) {
  const original = await readRgb(sharp(join(photos, name)));
  const { data, width, height } = original;
  if (width * height > mostPixels) continue;
  const open = () => sharp(data, { raw: { width, height, channels: 3 } });
  const print = async (coding: string, work: () => Promise<Uint8Array>, asPng = async (bytes: Uint8Array) => bytes) => {
    const { cpu, answer: bytes } = await timed(work);
    const score = ssimulacra2(original, await readRgb(sharp(await asPng(bytes))));
    const speed = (cpu * 1e6) / (width * height);
    console.log([name, coding, bytes.length, score.toFixed(1), speed.toFixed(2)].join("\t"));
  };
  for (const format of ["avif", "webp"] as const)
    await print(
      `${format} ${quality}`,
      async () => (await formatModules[format].encode(open(), { quality, minimizeBytes: true })).bytes,
    );
  const rgba = await open().ensureAlpha().raw().toBuffer();
  for (const { quality: own, effort } of settings)
    await print(
      `jxl ${own}, effort ${effort}`,
      async () => Uint8Array.from(encode(rgba, width, height, { ...others, quality: own, effort }) ?? []),
      async (bytes) => (await decodeJxl(bytes, { maxPixels: mostPixels }, () => {})).png ?? bytes,
    );
}
