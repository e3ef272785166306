// Checks the claims on upscaling: npm run bench:upscale [folder of data packs [likeness] [speed]]. Likeness on Set5 and Set14 of the files that
// the engine writes, beside Lanczos3 with aligned centres, and the speed of the network alone and of the whole.

import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv } from "node:process";
import sharp from "sharp";
import type { Raster } from "../packages/codecs/src/raster/raster.ts";
import { createImaging } from "../packages/imaging/src/imaging.ts";
import { resampleLanczos } from "../packages/imaging/src/resample/lanczos.ts";
import { median } from "./averages.ts";
import { dataPacks } from "./packs.ts";
import { readRgb } from "./read-rgb.ts";
import { runOperation } from "./run-operation.ts";
import { runScript } from "./run-script.ts";
import { type Scores, scoreOnLuma } from "./upscale/likeness-on-luma.ts";
import type { Speed } from "./upscale/speed.ts";

const data = await dataPacks(argv[2]);
const scales = [2, 4] as const;
const rounds = 5;
const folder = await mkdtemp(join(tmpdir(), "bench-upscale-"));
const imaging = createImaging({ models: { threads: 2 } });

const parts = argv.length > 3 ? argv.slice(3) : ["likeness", "speed"];
if (parts.includes("likeness")) await likeness();
await rm(folder, { recursive: true });
if (parts.includes("speed")) speeds();

async function likeness(): Promise<void> {
  console.log("| | Lanczos3 | network | JPEG 75, Lanczos3 | JPEG 75, network |\n|---|---|---|---|---|");
  for (const set of ["Set5", "Set14"])
    for (const scale of scales) {
      const clean = await scoreSet(set, scale);
      const compressed = await scoreSet(set, scale, 75);
      console.log(
        `| ${set} x${scale} | ${[clean.lanczos, clean.network, compressed.lanczos, compressed.network].map(say).join(" | ")} |`,
      );
    }
}

function speeds(): void {
  console.log(
    `\nMegapixels of result a second on 2 threads, in brackets a second of processor time: medians of ${rounds} rounds, in` +
      " turn. Share: of the network alone, by the clock. Resident memory at its peak.\n",
  );
  console.log("| | network alone | 0.4 MP of PNG, whole | share | 0.4 MP of JPEG, whole | share | memory |");
  console.log("|---|---|---|---|---|---|---|");
  const photo = join(data, "photos/kodak_23_parrots.png");
  for (const scale of scales) {
    const [bare, png, jpeg]: [Speed[], Speed[], Speed[]] = [[], [], []];
    for (let round = 0; round < rounds; round += 1) {
      bare.push(run("bare", `upscale-x${scale}`));
      png.push(run("whole", "", photo, String(scale), "png"));
      jpeg.push(run("whole", "", photo, String(scale), "jpeg"));
    }
    const of = (speeds: Speed[], what: keyof Speed) => median(speeds.map((speed) => speed[what]));
    const speed = (speeds: Speed[]) => `${of(speeds, "wall").toFixed(2)} (${of(speeds, "cpu").toFixed(2)})`;
    const whole = (speeds: Speed[]) => `${speed(speeds)} | ${(of(speeds, "wall") / of(bare, "wall")).toFixed(2)}`;
    const peak = Math.max(...[...png, ...jpeg].map(({ peakMb }) => peakMb));
    console.log(`| x${scale} | ${speed(bare)} | ${whole(png)} | ${whole(jpeg)} | ${peak} MB |`);
  }
}

/** Means over a set, laid out as image_SRF_{scale}/*_{LR,HR}.png. */
async function scoreSet(
  set: string,
  scale: 2 | 4,
  jpegQuality?: number,
): Promise<{ lanczos: Scores; network: Scores }> {
  const place = join(data, "upscale", set, `image_SRF_${scale}`);
  const names = (await readdir(place)).filter((name) => name.endsWith("_HR.png")).sort();
  const rows: { lanczos: Scores; network: Scores }[] = [];
  for (const name of names) {
    const original = await readRgb(sharp(join(place, name)));
    const inputPath = join(folder, `${set}-${scale}-${jpegQuality}-${name}`);
    const small = sharp(join(place, name.replace("_HR", "_LR")))
      .toColourspace("srgb")
      .removeAlpha();
    await (jpegQuality ? small.jpeg({ quality: jpegQuality }) : small.png()).toFile(inputPath);
    const low = await readRgb(sharp(inputPath));
    const lanczos = resampleLanczos(low, { width: low.width * scale, height: low.height * scale });
    rows.push({
      lanczos: scoreOnLuma(lanczos, original, scale),
      network: scoreOnLuma(
        await (jpegQuality
          ? enlargeFile(await losslessly(inputPath), { scale, model: "compressed" })
          : enlargeFile(inputPath, { scale, model: "auto" })),
        original,
        scale,
      ),
    });
  }
  const mean = (of: (row: (typeof rows)[number]) => Scores): Scores => ({
    psnr: rows.reduce((sum, row) => sum + of(row).psnr, 0) / rows.length,
    ssim: rows.reduce((sum, row) => sum + of(row).ssim, 0) / rows.length,
  });
  return { lanczos: mean((row) => row.lanczos), network: mean((row) => row.network) };
}

/**
 * The same pixels as PNG: the score then measures the enlargement and not its encoder. For the JPEG itself, `auto`
 * reads the tables and picks the model for compressed pictures.
 */
async function losslessly(path: string): Promise<string> {
  await sharp(path).png().toFile(`${path}.png`);
  return `${path}.png`;
}

type Enlarging = { scale: 2 | 4; model: "auto" | "compressed" };
async function enlargeFile(inputPath: string, { scale, model }: Enlarging): Promise<Raster<Uint8Array>> {
  const outputPath = `${inputPath}.out`;
  await runOperation(imaging, { name: "upscale", options: { scale_factor: scale, model }, inputPath, outputPath });
  return readRgb(sharp(outputPath));
}

const run = (...args: string[]) => runScript("./upscale/speed.ts", args) as Speed; // what speed.ts prints

function say({ psnr, ssim }: Scores): string {
  return `${psnr.toFixed(2)} / ${ssim.toFixed(4)}`;
}
