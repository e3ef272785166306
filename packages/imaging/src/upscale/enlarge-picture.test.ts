import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allocateLike, type IntegerSamples, type Raster, shapeOf } from "@tintype/codecs/raster";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openWithLibvips } from "../formats/open-with-libvips.ts";
import { type ModelId, modelIds } from "../model/catalogue.ts";
import { createModels } from "../model/session.ts";
import { createPictureFile } from "../raster/picture-file.ts";
import { readPicture } from "../raster/read-picture.ts";
import { enlargePicture } from "./enlarge-picture.ts";

let folder: string;
let files = 0;
const models = createModels({ threads: 2 });
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "enlarged-"));
});
afterAll(async () => {
  await models.close();
  await rm(folder, { recursive: true });
});

type Drawing = { width: number; height: number; channels: 1 | 2 | 3 | 4; depth?: 8 | 16; isSoft?: boolean };

/** Stripes, a hard edge and some grain: every pixel differs from its neighbours. `isSoft`: wide stripes, no grain. */
function draw({ width, height, channels, depth = 8, isSoft = false }: Drawing): Raster {
  const full = depth === 16 ? 65_535 : 255;
  const data = allocateLike(depth === 16 ? new Uint16Array() : new Uint8Array(), width * height * channels);
  for (let i = 0; i < data.length; i += 1) {
    const pixel = Math.floor(i / channels);
    const [x, y, c] = [pixel % width, Math.floor(pixel / width), i % channels];
    const grain = ((i * 2_654_435_761) >>> 0) / 2 ** 32;
    const waves = (x * (0.3 + c * 0.1) + y * 0.7) * (isSoft ? 0.3 : 1);
    const light = 0.5 + 0.3 * Math.sin(waves) + (x > y ? 0.15 : -0.15) * (isSoft ? 0.5 : grain);
    data[i] = Math.max(0, Math.min(full, Math.round(light * full)));
  }
  return { data, width, height, channels };
}

type Run = { maxPixels?: number; signal?: AbortSignal; progress?(fraction: number): void };

async function enlarge(id: ModelId, picture: Raster, run: Run = {}) {
  files += 1;
  const path = join(folder, `${files}.tif`); // libvips caches by file name
  await models.use(id, async (model) => {
    const size = { width: picture.width * model.row.output.scale, height: picture.height * model.row.output.scale };
    const file = createPictureFile(path, { ...shapeOf(picture), ...size });
    const { signal = new AbortController().signal, progress = () => {}, ...more } = run;
    await enlargePicture(model, { picture, file, signal, progress, ...more }).finally(() => file.close());
  });
  const limits = { megapixelsIn: 1, megapixelsOut: 1 };
  const source = await openWithLibvips({ file: { path, sizeBytes: 0 }, format: "tiff", limits });
  const enlarged = await readPicture(source.read(), source);
  expect([enlarged.width / picture.width, enlarged.channels]).toEqual([
    enlarged.height / picture.height,
    picture.channels,
  ]);
  return enlarged.data;
}
/** Of one channel of three, 0..255. */
const meanOf = (data: IntegerSamples, c: number) => {
  const own = Float64Array.from(data).filter((_, i) => i % 3 === c);
  return own.reduce((sum, value) => sum + value, 0) / own.length / (data instanceof Uint16Array ? 257 : 1);
};
const upscalers = modelIds.filter((id) => id.startsWith("upscale-"));
const depthOf = (id: ModelId) => (id.endsWith("16bit") ? 16 : 8);
const isForCompressed = (id: ModelId) => id.includes("-compressed");

test.each(upscalers)("%s in tiles is to the bit what it is in one piece", async (id) => {
  for (const channels of [3, 2] as const) {
    const picture = draw({ width: 61, height: 47, channels, depth: depthOf(id) });
    const whole = await enlarge(id, picture);
    const reports: number[] = [];
    const tiled = await enlarge(id, picture, { maxPixels: 76 * 76, progress: (fraction) => reports.push(fraction) });
    expect(reports.length).toBeGreaterThan(3);
    expect(tiled.every((value, i) => value === whole[i])).toBe(true);
  }
});

test.each(upscalers)("%s leaves what is flat exactly as it is, up to the edges", async (id) => {
  const full = depthOf(id) === 16 ? 65_535 : 255;
  for (const colour of [
    [1, 1, 1],
    [1, 0, 0],
    [0.5, 0.2, 0.7],
  ]) {
    const levels = colour.map((part) => Math.round(part * full));
    const picture = draw({ width: 20, height: 17, channels: 3, depth: depthOf(id) });
    for (let i = 0; i < picture.data.length; i += 1) picture.data[i] = levels[i % 3] ?? 0;
    const enlarged = await enlarge(id, picture);
    for (let c = 0; c < 3; c += 1) expect([...new Set(enlarged.filter((_, i) => i % 3 === c))]).toEqual([levels[c]]);
  }
});

test.each(upscalers)(
  "%s moves nothing: a soft spot stays where it is to one or two hundredths of a pixel",
  async (id) => {
    const [width, height, full] = [48, 40, depthOf(id) === 16 ? 65_535 : 255];
    const picture = draw({ width, height, channels: 1, depth: depthOf(id) });
    for (let i = 0; i < picture.data.length; i += 1)
      picture.data[i] = full * Math.exp(-(((i % width) - 21.3) ** 2 + (Math.floor(i / width) - 17.6) ** 2) / 20);
    const centre = (data: IntegerSamples, columns: number) => {
      let [sum, x, y] = [0, 0, 0];
      data.forEach((value, i) => {
        sum += value;
        x += value * ((i % columns) + 0.5);
        y += value * (Math.floor(i / columns) + 0.5);
      });
      return { x: x / sum, y: y / sum };
    };
    const enlarged = await enlarge(id, picture);
    const scale = Math.sqrt(enlarged.length / picture.data.length);
    const [before, after] = [centre(picture.data, width), centre(enlarged, width * scale)];
    // Undoing lens blur and JPEG errors is slightly less exact than undoing the reduction alone.
    const most = isForCompressed(id) ? 0.02 : 0.01;
    expect(Math.abs(after.x / scale - before.x)).toBeLessThan(most);
    expect(Math.abs(after.y / scale - before.y)).toBeLessThan(most);
  },
);

test.each(upscalers)("%s keeps the mean colour within half a level of 255", async (id) => {
  // A model for compressed pictures removes grain, and treats stripes of a few pixels as grain.
  const picture = draw({ width: 64, height: 56, channels: 3, depth: depthOf(id), isSoft: isForCompressed(id) });
  const enlarged = await enlarge(id, picture);
  for (let c = 0; c < 3; c += 1) expect(Math.abs(meanOf(enlarged, c) - meanOf(picture.data, c))).toBeLessThan(0.5);
});

test.each(upscalers)("%s keeps the mean of a drawing too, of which a network alone loses light", async (id) => {
  const full = depthOf(id) === 16 ? 65_535 : 255;
  const [width, height] = [70, 50];
  const picture = draw({ width, height, channels: 3, depth: depthOf(id) });
  for (let i = 0; i < width * height; i += 1) {
    const isInk = Math.floor(i / width) % 6 === 0;
    picture.data.set(
      (isInk ? [0.15, 0.25, 0.35] : [0.98, 0.94, 1]).map((part) => Math.round(part * full)),
      i * 3,
    );
  }
  const whole = await enlarge(id, picture);
  for (let c = 0; c < 3; c += 1) expect(Math.abs(meanOf(whole, c) - meanOf(picture.data, c))).toBeLessThan(0.5);
  const tiled = await enlarge(id, picture, { maxPixels: 94 * 94 });
  expect(tiled.every((value, i) => value === whole[i])).toBe(true);
});

test("16 bits stay 16: a gradient finer than 8 bits comes out as fine", async () => {
  const picture = draw({ width: 40, height: 12, channels: 1, depth: 16 });
  for (let i = 0; i < picture.data.length; i += 1) picture.data[i] = 30_000 + 20 * (i % 40);
  const enlarged = await enlarge("upscale-x2-16bit", picture);
  const row = enlarged.subarray(10 * 80 + 8, 10 * 80 + 72);
  expect(new Set(row).size).toBeGreaterThan(50);
  row.forEach((value, i) => {
    expect(Math.abs(value - (30_000 + 20 * ((i + 8 + 0.5) / 2 - 0.5)))).toBeLessThan(40);
  });
});

test("cancelled between two tiles it ends with the signal's reason", async () => {
  const abort = new AbortController();
  const reports: number[] = [];
  const run = enlarge("upscale-x2", draw({ width: 97, height: 71, channels: 3 }), {
    maxPixels: 72 * 72,
    signal: abort.signal,
    progress: (fraction) => {
      reports.push(fraction);
      abort.abort(new Error("no longer wanted"));
    },
  });
  await expect(run).rejects.toThrow("no longer wanted");
  expect(reports).toHaveLength(1);
});
