import { isInStraightened, straightenedPoint, straightenedSize, type TaskOptions } from "@tintype/contract";
import { taskOptions } from "@tintype/contract/schemas";
import sharp from "sharp";
import { expect, test } from "vitest";
import { runOperation } from "../testing/run-operation.ts";
import { crop } from "./crop.ts";
import { cropRegion } from "./crop-region.ts";
import { turn } from "./turn.ts";

const parse = (options: object): TaskOptions<"crop"> => taskOptions.crop.parse(options);

test("a crop stays within the picture, and a ratio takes the largest box in the middle of it", () => {
  const picture = { width: 400, height: 300 };
  expect(cropRegion(picture, parse({ left: 350, width: 100, height: 50 }))).toEqual({
    left: 350,
    top: 0,
    width: 50,
    height: 50,
  });
  expect(cropRegion(picture, parse({ ratio: "1:1" }))).toEqual({ left: 50, top: 0, width: 300, height: 300 });
  expect(cropRegion(picture, parse({ ratio: "2:1" }))).toEqual({ left: 0, top: 50, width: 400, height: 200 });
  expect(cropRegion(picture, parse({ ratio: "1:1", left: 100, top: 10, width: 200, height: 100 }))).toEqual({
    left: 150,
    top: 10,
    width: 100,
    height: 100,
  });
  expect(() => cropRegion(picture, parse({ left: 400, width: 1 }))).toThrow("starts at 400, 0");
  expect(taskOptions.crop.safeParse({ left: 5 }).success).toBe(false);
  expect(taskOptions.crop.safeParse({ ratio: "wide" }).error?.issues[0]?.path).toEqual(["ratio"]);
});

/** Each pixel encodes its position: x in red, y in green. */
const map = (width: number, height: number) =>
  Buffer.from(Array.from({ length: width * height }, (_, i) => [i % width, Math.floor(i / width), 7]).flat());

async function pixelsOf(bytes: Uint8Array) {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  return {
    ...info,
    at: (x: number, y: number) => [...data.subarray((y * info.width + x) * info.channels).subarray(0, 2)],
  };
}

const png = (width: number, height: number) =>
  sharp(map(width, height), { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();

test("cropping moves no pixel and changes none", async () => {
  const { result, outcome } = await runOperation(crop, {
    bytes: await png(40, 30),
    options: parse({ left: 5, top: 7, width: 20, height: 10 }),
  });
  const { width, height, at } = await pixelsOf(result);
  expect([width, height, at(0, 0), at(19, 9)]).toEqual([20, 10, [5, 7], [24, 16]]);
  expect(outcome).toMatchObject({ kind: "done", source: { width: 40, height: 30 }, result: { format: "png" } });
});

test("a turn is clockwise, and the mirror comes after it", async () => {
  const turned = async (options: object) => {
    const { result } = await runOperation(turn, { bytes: await png(40, 30), options: taskOptions.turn.parse(options) });
    return pixelsOf(result);
  };
  const quarter = await turned({ degrees: 90 });
  expect([quarter.width, quarter.height, quarter.at(0, 0), quarter.at(29, 0)]).toEqual([30, 40, [0, 29], [0, 0]]);
  const mirrored = await turned({ degrees: 90, flip: "horizontal" });
  expect([mirrored.width, mirrored.at(0, 0), mirrored.at(29, 0)]).toEqual([30, [0, 0], [0, 29]]);
  const upended = await turned({ degrees: 270, flip: "vertical" });
  expect([upended.width, upended.at(0, 0)]).toEqual([30, [0, 0]]);
  const flipped = await turned({ flip: "vertical" });
  expect([flipped.width, flipped.at(0, 0)]).toEqual([40, [0, 29]]);
});

test("a picture that a camera holds sideways is cropped upright", async () => {
  const sideways = await sharp(map(40, 30), { raw: { width: 40, height: 30, channels: 3 } })
    .withMetadata({ orientation: 6 })
    .png()
    .toBuffer();
  const { result } = await runOperation(crop, {
    bytes: sideways,
    options: parse({ left: 0, top: 0, width: 30, height: 5 }),
  });
  const { width, height, at } = await pixelsOf(result);
  expect([width, height, at(0, 0), at(29, 0)]).toEqual([30, 5, [0, 29], [0, 0]]);
});

test("animations and depth: the first are refused, the second is kept", async () => {
  const frames = await sharp([map(8, 8), map(8, 8)].map((data) => data).at(0) as Buffer, {
    raw: { width: 8, height: 8, channels: 3 },
  })
    .png()
    .toBuffer();
  const moving = await sharp([frames, await sharp(frames).negate().png().toBuffer()], { join: { animated: true } })
    .gif()
    .toBuffer();
  await expect(runOperation(turn, { bytes: moving, options: { degrees: 90 } })).rejects.toThrow("cannot be turned");
  const deep = await sharp(map(8, 8), { raw: { width: 8, height: 8, channels: 3 } })
    .toColourspace("rgb16")
    .png()
    .toBuffer();
  const { result } = await runOperation(turn, { bytes: deep, options: { degrees: 180 } });
  expect((await sharp(result).metadata()).depth).toBe("ushort");
});

const straightened = (picture: { width: number; height: number }, options: object) =>
  cropRegion(picture, parse(options));

// product: straightened
test("a straightened crop is the largest of its shape, and shows nothing beyond the picture", () => {
  const picture = { width: 600, height: 400 };
  const bounds = straightenedSize(picture, 10);
  expect(bounds).toEqual({ width: 660, height: 498 });
  // By the formula for the largest inscribed upright rectangle: 400 / (1.5 sin 10 + cos 10).
  expect(straightened(picture, { straighten: 10 })).toEqual({ left: 90, top: 89, width: 481, height: 321 });
  const square = straightened(picture, { straighten: 10, ratio: "1:1" });
  expect(square).toMatchObject({ width: 345, height: 345 });
  for (const degrees of [-45, -12.3, -0.1, 0.1, 7.5, 33.3, 45])
    for (const options of [{}, { ratio: "9:16" }, { ratio: "4:1" }, { left: 200, top: 150, width: 300, height: 300 }]) {
      const box = straightened(picture, { straighten: degrees, ...options });
      expect([degrees, options, isInStraightened(box, { picture, degrees })]).toEqual([degrees, options, true]);
      // The server accepts a box that it computed itself, unchanged.
      expect(straightened(picture, { straighten: degrees, ...box })).toEqual(box);
    }
  expect(() => straightened(picture, { straighten: 20, left: 0, top: 0, width: 10, height: 10 })).toThrow(
    "The centre of the crop lies outside the image straightened by 20 degrees.",
  );
});

test("an angle has one decimal at most, and lies within 45 degrees", () => {
  for (const straighten of [45.1, -46, 1.25, "1.25", "a", "1e1", ""])
    expect([straighten, taskOptions.crop.safeParse({ straighten }).success]).toEqual([straighten, false]);
  for (const straighten of ["-12.5", 3.3, "+4", 0])
    expect(parse({ straighten })).toMatchObject({ straighten: Number(straighten) });
});

/** A grey gradient and a line, both straight at any angle. */
const slope = (width: number, height: number) =>
  Buffer.from(
    Array.from({ length: width * height }, (_, i) => [40 + (i % width), 60 + Math.floor(i / width), 90]).flat(),
  );

test("straightening turns clockwise about the middle, to a fraction of a pixel, without corners of another colour", async () => {
  const bytes = await sharp(slope(160, 120), { raw: { width: 160, height: 120, channels: 3 } })
    .png()
    .toBuffer();
  for (const degrees of [-30, -2.5, 0.3, 12]) {
    const { result, outcome } = await runOperation(crop, { bytes, options: parse({ straighten: degrees }) });
    const region = straightened({ width: 160, height: 120 }, { straighten: degrees });
    expect(outcome).toMatchObject({ kind: "done", result: { width: region.width, height: region.height } });
    const { at, channels } = await pixelsOf(result);
    expect(channels).toBe(3);
    for (const [x, y] of [
      [0, 0],
      [region.width - 1, 0],
      [0, region.height - 1],
      [region.width - 1, region.height - 1],
      [20, 30],
    ] as const) {
      const from = straightenedPoint(
        { width: 160, height: 120 },
        { degrees, x: region.left + x + 0.5, y: region.top + y + 0.5 },
      );
      const [red = 0, green = 0] = at(x, y);
      expect(Math.abs(red - (40 + from.x - 0.5))).toBeLessThan(1.6);
      expect(Math.abs(green - (60 + from.y - 0.5))).toBeLessThan(1.6);
    }
  }
  // Clockwise: the left side moves up.
  const flag = await sharp({ create: { width: 100, height: 100, channels: 3, background: "white" } })
    .composite([{ input: { create: { width: 12, height: 12, channels: 3, background: "black" } }, left: 22, top: 44 }])
    .png()
    .toBuffer();
  const { result } = await runOperation(crop, { bytes: flag, options: parse({ straighten: 30 }) });
  const { at, height } = await pixelsOf(result);
  const dark = Array.from({ length: height }, (_, y) => y).filter((y) => (at(16, y)[0] ?? 255) < 128);
  expect(dark.length).toBeGreaterThan(2);
  expect(Math.max(...dark)).toBeLessThan(height / 2);
});

test("transparent pixels lend no colour when a picture is straightened, and depth and grey stay", async () => {
  const data = Buffer.from(
    Array.from({ length: 80 * 60 }, (_, i) => (i % 80 < 40 ? [250, 10, 10, 255] : [0, 255, 0, 0])).flat(),
  );
  const bytes = await sharp(data, { raw: { width: 80, height: 60, channels: 4 } })
    .png()
    .toBuffer();
  const { result } = await runOperation(crop, { bytes, options: parse({ straighten: 20 }) });
  const { data: pixels } = await sharp(result).raw().toBuffer({ resolveWithObject: true });
  let half = 0;
  for (let at = 0; at < pixels.length; at += 4)
    if ((pixels[at + 3] ?? 0) > 8) {
      if ((pixels[at + 3] ?? 0) < 200) half++;
      const [red = 0, green = 255, blue = 255] = pixels.subarray(at, at + 3);
      expect(Math.abs(red - 250) + Math.abs(green - 10) + Math.abs(blue - 10)).toBeLessThan(4);
    }
  expect(half).toBeGreaterThan(10);
  const deep = await sharp(slope(60, 40), { raw: { width: 60, height: 40, channels: 3 } })
    .toColourspace("grey16")
    .png()
    .toBuffer();
  const kept = await runOperation(crop, { bytes: deep, options: parse({ straighten: 3 }) });
  const [before, after] = await Promise.all([sharp(deep).metadata(), sharp(kept.result).metadata()]);
  expect([after.depth, after.space, after.channels]).toEqual([before.depth, before.space, before.channels]);
});
