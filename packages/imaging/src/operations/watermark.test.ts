import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TaskOptions } from "@tintype/contract";
import { taskOptions } from "@tintype/contract/schemas";
import sharp, { type Sharp } from "sharp";
import { expect, test } from "vitest";
import { createImaging } from "../imaging.ts";
import { testLimits } from "../testing/run-operation.ts";
import { placeMark } from "./watermark/place-mark.ts";

type Written = Partial<TaskOptions<"watermark">>;
type Pixel = number[];

const plain = (colour: Pixel, { width = 200, height = 100 } = {}): Sharp =>
  sharp(Buffer.from(Array.from({ length: width * height }, () => colour).flat()), {
    raw: { width, height, channels: colour.length as 1 | 2 | 3 | 4 },
  });
const grey = [120, 120, 120];
const redLogo = () => plain([255, 0, 0], { width: 20, height: 10 }).png().toBuffer();

const imaging = createImaging();

async function marked(picture: Sharp | Buffer, written: Written, logo?: Uint8Array) {
  const folder = await mkdtemp(join(tmpdir(), "watermark-"));
  try {
    const [inputPath, outputPath, logoPath] = ["input", "output", "logo"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    await writeFile(inputPath, Buffer.isBuffer(picture) ? picture : await picture.png().toBuffer());
    if (logo) await writeFile(logoPath, logo);
    const outcome = await imaging.run(
      {
        name: "watermark",
        options: taskOptions.watermark.parse(written),
        inputPath,
        outputPath,
        limits: testLimits,
        ...(logo ? { auxiliaryPaths: { logo: logoPath } } : {}),
      },
      { signal: new AbortController().signal, progress: () => {} },
    );
    const file = await sharp(outputPath, { animated: true }).toBuffer();
    const { data, info } = await sharp(outputPath, { animated: true }).raw().toBuffer({ resolveWithObject: true });
    const at = (x: number, y: number): Pixel => [
      ...data.subarray((y * info.width + x) * info.channels, (y * info.width + x + 1) * info.channels),
    ];
    return { outcome, file, info, at, metadata: await sharp(outputPath, { animated: true }).metadata() };
  } finally {
    await rm(folder, { recursive: true });
  }
}

// product: watermark-exact
test.each([
  { position: "northwest", left: 10, top: 10 },
  { position: "north", left: 80, top: 10 },
  { position: "centre", left: 80, top: 40 },
  { position: "east", left: 150, top: 40 },
  { position: "southeast", left: 150, top: 70 },
] as const)(
  "a logo stands at its $position with its opacity, and nothing else changes",
  async ({ position, left, top }) => {
    const options = { position, size: 20, margin: 10, opacity: 50 };
    const { at, outcome } = await marked(plain(grey), options, await redLogo());
    expect(outcome).toMatchObject({ kind: "done", result: { format: "png", width: 200, height: 100 } });
    for (let y = 0; y < 100; y += 1)
      for (let x = 0; x < 200; x += 1) {
        const isUnder = x >= left && x < left + 40 && y >= top && y < top + 20;
        const wanted = isUnder ? [188, 60, 60] : grey;
        if (at(x, y).some((value, i) => Math.abs(value - (wanted[i] ?? 0)) > 1))
          throw new Error(`${x}, ${y}: ${at(x, y)}`);
      }
  },
);

const darkest = ({ at }: Awaited<ReturnType<typeof marked>>) => {
  let [low, high] = [255, 0];
  for (let y = 0; y < 100; y += 1)
    for (let x = 0; x < 200; x += 1) {
      low = Math.min(low, at(x, y)[0] ?? 0);
      high = Math.max(high, at(x, y)[0] ?? 0);
    }
  return { low, high };
};

test("a text is white on dark and black on light by itself, or of the colour that was asked for", async () => {
  const options = { text: "© Ærø, Ψ, Ж, नमस्ते", opacity: 100, size: 80 };
  expect(darkest(await marked(plain([40, 40, 40]), options))).toEqual({ low: 40, high: 255 });
  expect(darkest(await marked(plain([230, 230, 230]), options))).toEqual({ low: 0, high: 230 });
  expect(darkest(await marked(plain([40, 40, 40]), { ...options, colour: "#808080" }))).toEqual({ low: 40, high: 128 });
});

test("a text is as wide as its size says, also turned by a quarter, and smaller where it would not fit", async () => {
  const extent = async (options: Written) => {
    const { at } = await marked(plain([0, 0, 0]), { text: "MMMM", opacity: 100, margin: 0, ...options });
    const inked = Array.from({ length: 200 }, (_, x) => Array.from({ length: 100 }, (_, y) => ({ x, y })))
      .flat()
      .filter(({ x, y }) => (at(x, y)[0] ?? 0) > 100);
    const sides = (axis: "x" | "y") => {
      const values = inked.map((one) => one[axis]);
      return Math.max(...values) - Math.min(...values) + 1;
    };
    return { width: sides("x"), height: sides("y") };
  };
  const flat = await extent({ size: 40 });
  expect(flat.width).toBeGreaterThanOrEqual(78);
  expect(flat.width).toBeLessThanOrEqual(80);
  const upright = await extent({ size: 40, angle: 90 });
  expect(Math.abs(upright.height - flat.width)).toBeLessThanOrEqual(1);
  expect(Math.abs(upright.width - flat.height)).toBeLessThanOrEqual(1);
  const long = await extent({ size: 100, angle: 90 });
  expect(long.height).toBeGreaterThanOrEqual(98);
});

test("the smallest and the longest pictures have a mark too, upright, turned and tiled", async () => {
  const long = "Anyone who reads this far along the edge of a very long picture has found its watermark, all of it";
  for (const [width, height] of [
    [1, 1],
    [3, 2],
  ] as const)
    for (const options of [{}, { angle: 33.3 }, { tiled: true, angle: -30 }]) {
      const { info } = await marked(plain(grey, { width, height }), { text: long, size: 100, margin: 40, ...options });
      expect([info.width, info.height]).toEqual([width, height]);
    }
  const { info } = await marked(plain(grey, { width: 2, height: 90 }), { size: 100, angle: 90 }, await redLogo());
  expect([info.width, info.height]).toEqual([2, 90]);
});

test("no mark is longer than librsvg draws, and none leaves its picture", () => {
  const options = { size: 100, margin: 0, position: "southeast", angle: 0, tiled: false } as const;
  const { box } = placeMark({ width: 60_000, height: 700 }, { width: 60_000, height: 5_000 }, options);
  expect(box).toEqual({ left: 60_000 - 32_767, top: 5_000 - box.height, width: 32_767, height: 382 });
});

test("a tiled mark is repeated over the whole picture", async () => {
  const { at } = await marked(plain([0, 0, 0]), { tiled: true, size: 10, opacity: 100 }, await redLogo());
  const quarters = [0, 100].flatMap((left) =>
    [0, 50].map((top) =>
      Array.from({ length: 100 * 50 }, (_, i) => at(left + (i % 100), top + Math.floor(i / 100))[0] ?? 0).filter(
        (value) => value === 255,
      ),
    ),
  );
  for (const quarter of quarters) expect(quarter.length).toBeGreaterThan(300);
});

// product: watermark-exact
test("a picture keeps its format, depth, grey, profile and transparency", async () => {
  const deep = await marked(await plain(grey).toColourspace("rgb16").png().toBuffer(), { text: "A" });
  expect(deep.metadata).toMatchObject({ format: "png", depth: "ushort", channels: 3 });
  const paper = await marked(await plain([120]).toColourspace("b-w").jpeg().toBuffer(), { text: "A", colour: "#fff" });
  expect(paper.metadata).toMatchObject({ format: "jpeg", space: "b-w", channels: 1 });
  const clear = await marked(plain([0, 0, 0, 0]), { position: "centre", size: 20, opacity: 50 }, await redLogo());
  expect(clear.at(100, 50)).toEqual([255, 0, 0, 128]);
  expect(clear.at(0, 0)[3]).toBe(0);
  const wide = await plain(grey).withIccProfile("p3").png().toBuffer();
  const brick = await plain([200, 60, 40], { width: 20, height: 10 }).png().toBuffer();
  const coloured = await marked(wide, { position: "centre", size: 20, opacity: 100 }, brick);
  expect(coloured.metadata.icc).toEqual((await sharp(wide).metadata()).icc);
  // `at` is of sRGB again.
  for (const [i, value] of coloured.at(100, 50).entries())
    expect(Math.abs(value - ([200, 60, 40][i] ?? 0))).toBeLessThanOrEqual(2);
});

// product: watermark-exact
test("each frame of an animation is marked, and keeps its time", async () => {
  const frames = Buffer.concat(
    await Promise.all(
      [
        [0, 0, 0],
        [90, 90, 90],
      ].map((colour) => plain(colour, { width: 60, height: 40 }).raw().toBuffer()),
    ),
  );
  const gif = await sharp(frames, { raw: { width: 60, height: 80, channels: 3, pageHeight: 40 } })
    .gif({ delay: [100, 250], loop: 3 })
    .toBuffer();
  const { metadata, at } = await marked(
    gif,
    { position: "northwest", margin: 0, opacity: 100, size: 30 },
    await redLogo(),
  );
  expect(metadata).toMatchObject({ format: "gif", pages: 2, delay: [100, 250], loop: 3 });
  for (const y of [2, 42]) expect(at(2, y).slice(0, 3)).toEqual([255, 0, 0]);
});

test("without a mark, with two, with a letter that no font has or a damaged logo it is refused", async () => {
  const missing = { code: "cannot-process", reason: { code: "watermark-missing" } };
  await expect(marked(plain(grey), {})).rejects.toMatchObject(missing);
  await expect(marked(plain(grey), { text: "A" }, await redLogo())).rejects.toMatchObject(missing);
  for (const text of ["\u200b", "\u2060\u200d"])
    await expect(marked(plain(grey), { text }), JSON.stringify(text)).rejects.toMatchObject({ code: "cannot-process" });
  await expect(marked(plain(grey), { text: "A 漢" })).rejects.toMatchObject({
    reason: { code: "watermark-character", character: "漢" },
  });
  await expect(marked(plain(grey), {}, (await redLogo()).subarray(0, 60))).rejects.toMatchObject({
    reason: { code: "auxiliary-file-failed", role: "logo" },
  });
});
