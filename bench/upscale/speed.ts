// One measurement in its own process, with its own memory: the speed of the network alone, and of enlarging a file
// through the engine. Prints one line of JSON.
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv, resourceUsage } from "node:process";
import sharp from "sharp";
import { createImaging } from "../../packages/imaging/src/imaging.ts";
import type { ModelId } from "../../packages/imaging/src/model/catalogue.ts";
import { createModels } from "../../packages/imaging/src/model/session.ts";
import { enlarge } from "../../packages/imaging/src/upscale/enlarge-picture.ts";
import { runOperation } from "../run-operation.ts";
import { timed } from "../timed.ts";

export type Speed = { wall: number; cpu: number; peakMb: number };

const threads = 2;
/** The first run loads the model and does not count. */
const runs = 4;
const [mode = "", id = "", file = "", factor = "2", format = "png"] = argv.slice(2);
console.log(JSON.stringify(mode === "bare" ? await measureBare(id as ModelId) : await measureWhole()));

/**
 * Output megapixels per second, and per second of CPU time, of the model alone, on as many 128 px tiles as the
 * picture has pixels, so that both run equally long.
 */
async function measureBare(place: ModelId): Promise<Speed> {
  const side = 128;
  const tiles = (768 * 512) / side ** 2;
  const data = new Uint8Array(side * side * 3).map((_, i) => (i * 31 + (i >> 7)) & 255);
  const tile = {
    data: place.endsWith("16bit") ? Uint16Array.from(data) : data,
    width: side,
    height: side,
    channels: 3 as const,
  };
  return createModels({ threads }).use(place, async (model) => {
    const megapixels = (tiles * (side * model.row.output.scale) ** 2) / 1e6;
    const best = { wall: 0, cpu: 0 };
    for (let run = 0; run < runs; run += 1) {
      const { wall, cpu } = await timed(async () => {
        for (let i = 0; i < tiles; i += 1) await enlarge(model, tile);
      });
      if (run === 0) continue;
      best.wall = Math.max(best.wall, megapixels / wall);
      best.cpu = Math.max(best.cpu, megapixels / cpu);
    }
    return { ...best, peakMb: peakMb() };
  });
}

/** The same for a file, from opening it to the written result. */
async function measureWhole(): Promise<Speed> {
  const folder = await mkdtemp(join(tmpdir(), "bench-upscale-"));
  const [inputPath, outputPath] = [join(folder, "in"), join(folder, "out")];
  try {
    await sharp(file)
      .toFormat(format === "jpeg" ? "jpeg" : "png")
      .toFile(inputPath);
    const imaging = createImaging({ models: { threads } });
    const best = { wall: 0, cpu: 0 };
    for (let run = 0; run < runs; run += 1) {
      const { wall, cpu } = await timed(() =>
        runOperation(imaging, {
          name: "upscale",
          options: { scale_factor: Number(factor), model: "clean" },
          inputPath,
          outputPath,
        }),
      );
      const { width, height } = await sharp(outputPath).metadata();
      if (run === 0 || (await stat(outputPath)).size === 0) continue;
      best.wall = Math.max(best.wall, (width * height) / 1e6 / wall);
      best.cpu = Math.max(best.cpu, (width * height) / 1e6 / cpu);
    }
    return { ...best, peakMb: peakMb() };
  } finally {
    await rm(folder, { recursive: true });
  }
}

function peakMb(): number {
  return Math.round(resourceUsage().maxRSS / 1024);
}
