import { deflateSync, inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import type { Matte } from "../../state/picture.ts";
import { applyPatch, brushShare, paint, patchBetween, strokeBox, subjectBox, trimPatch } from "./matte.ts";
import { encodeGreyPng } from "./write-matte.ts";

const blank = (width = 40, height = 30): Matte => ({ width, height, values: new Uint8Array(width * height) });
const at = ({ width, values }: Matte, x: number, y: number) => values[y * width + x];
const middle = { x: 20.5, y: 15.5 };

test("a hard brush is full to its edge and nothing beyond, a soft one fades", () => {
  const hard = blank();
  paint(hard, { kind: "restore", sizePx: 10, hardness: 1, isSmart: false }, middle, middle);
  expect([at(hard, 20, 15), at(hard, 24, 15), at(hard, 26, 15)]).toEqual([255, 255, 0]);
  const soft = blank();
  paint(soft, { kind: "restore", sizePx: 10, hardness: 0, isSmart: false }, middle, middle);
  expect(at(soft, 20, 15)).toBe(255);
  expect(at(soft, 23, 15)).toBeGreaterThan(0);
  expect(at(soft, 23, 15)).toBeLessThan(255);
  expect([brushShare(0.5, 0.5), brushShare(1, 0.5)]).toEqual([1, 0]);
});

test("a stroke covers all that lies between its ends, and stays within the picture", () => {
  const matte = blank();
  paint(matte, { kind: "restore", sizePx: 4, hardness: 1, isSmart: false }, { x: 2, y: 15.5 }, { x: 60, y: 15.5 });
  for (const x of [2, 10, 25, 39]) expect(at(matte, x, 15)).toBe(255);
  expect(at(matte, 10, 20)).toBe(0);
  paint(matte, { kind: "erase", sizePx: 4, hardness: 1, isSmart: false }, { x: 10.5, y: 15.5 }, { x: 10.5, y: 15.5 });
  expect([at(matte, 10, 15), at(matte, 20, 15)]).toEqual([0, 255]);
});

test("a patch undoes a stroke, and what it answers does it again", () => {
  const matte = blank();
  const before = matte.values.slice();
  paint(matte, { kind: "restore", sizePx: 6, hardness: 0.5, isSmart: false }, middle, { x: 25, y: 18 });
  const painted = matte.values.slice();
  const patch = patchBetween(before, matte);
  if (!patch) throw new Error("nothing was painted");
  expect(patch.width).toBeLessThan(15);
  const again = applyPatch(matte, patch);
  expect(matte.values).toEqual(before);
  applyPatch(matte, again);
  expect(matte.values).toEqual(painted);
  expect(patchBetween(painted, matte)).toBeUndefined();
});

test("a trimmed patch changes the same in the smallest box, and is empty where nothing changes", () => {
  const matte = blank();
  const values = new Uint8Array(12 * 10);
  for (const i of [3 * 12 + 4, 5 * 12 + 7]) values[i] = 90;
  const patch = { left: 6, top: 8, width: 12, height: 10, values };
  const trimmed = trimPatch(patch, matte);
  expect(trimmed).toMatchObject({ left: 10, top: 11, width: 4, height: 3 });
  const whole = blank();
  applyPatch(whole, patch);
  const undo = applyPatch(matte, trimmed);
  expect(matte.values).toEqual(whole.values);
  const empty = trimPatch(patch, matte);
  expect(empty).toMatchObject({ width: 0, height: 0 });
  applyPatch(matte, empty);
  expect(matte.values).toEqual(whole.values);
  applyPatch(matte, undo);
  expect(matte.values).toEqual(blank().values);
});

test("a stroke's box holds all of its pieces, however many, and stays within the picture", () => {
  const brush = { kind: "restore", sizePx: 4, hardness: 1, isSmart: true } as const;
  const pieces = Array.from({ length: 200_000 }, (_, i) => {
    const spot = { x: 10 + (i % 12), y: 20 };
    return { brush, from: spot, to: spot };
  });
  expect(strokeBox(pieces, blank())).toEqual({ left: 7, top: 17, width: 17, height: 6 });
  const beside = { brush, from: { x: 38, y: -2 }, to: { x: 60, y: 1 } };
  expect(strokeBox([beside], blank())).toEqual({ left: 35, top: 0, width: 5, height: 4 });
});

test("the crop goes around what is visible, as far as the picture goes", () => {
  const matte = blank();
  expect(subjectBox(matte, 10)).toBeUndefined();
  paint(matte, { kind: "restore", sizePx: 10, hardness: 1, isSmart: false }, middle, middle);
  const tight = subjectBox(matte, 0);
  expect(tight).toEqual({ left: 16, top: 11, width: 9, height: 9 });
  expect(subjectBox(matte, 50)).toMatchObject({ left: 11, top: 6 });
  expect(subjectBox(matte, 500)).toEqual({ left: 0, top: 0, width: 40, height: 30 });
});

test("a matte is sent as a grey PNG that holds each value", async () => {
  const matte = blank(5, 3);
  matte.values.set(Array.from({ length: 15 }, (_, i) => i * 17));
  const bytes = new Uint8Array(
    await (await encodeGreyPng(matte, async (rows) => new Uint8Array(deflateSync(rows)))).arrayBuffer(),
  );
  const view = new DataView(bytes.buffer);
  expect([view.getUint32(16), view.getUint32(20), bytes[24], bytes[25]]).toEqual([5, 3, 8, 0]);
  const length = view.getUint32(33);
  const rows = inflateSync(bytes.subarray(41, 41 + length));
  expect([...rows.subarray(0, 6)]).toEqual([0, 0, 17, 34, 51, 68]);
  expect(rows.length).toBe(18);
});
