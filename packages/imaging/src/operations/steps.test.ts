import type { TaskOptions } from "@tintype/contract";
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
  expect(() => cropRegion(picture, parse({ left: 400, width: 1 }))).toThrow("begins at 400, 0");
  expect(taskOptions.crop.safeParse({ left: 5 }).success).toBe(false);
  expect(taskOptions.crop.safeParse({ ratio: "wide" }).error?.issues[0]?.path).toEqual(["ratio"]);
});

/** Each pixel tells its place: red across, green down. */
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

test("moving pictures and depth: the first are refused, the second is kept", async () => {
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
