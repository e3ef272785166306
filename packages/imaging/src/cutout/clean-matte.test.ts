import { expect, test } from "vitest";
import { cleanMatte } from "./clean-matte.ts";
import { closerRegion, subjectBox } from "./find-matte.ts";
import type { Matte } from "./matte.ts";
import { profiles } from "./profiles.ts";

const side = 100;
type Box = { x: number; y: number; width: number; height: number; value: number };

/** A matte of boxes; later boxes overwrite earlier ones. */
function matteOf(...boxes: Box[]): Matte {
  const values = new Float32Array(side * side);
  for (const { x, y, width, height, value } of boxes)
    for (let row = y; row < y + height; row += 1) values.fill(value, row * side + x, row * side + x + width);
  return { values, width: side, height: side, region: { left: 0, top: 0, width: side, height: side } };
}
const box = (x: number, y: number, width: number, height: number, value = 1): Box => ({ x, y, width, height, value });
const at = ({ values }: Matte, x: number, y: number) => values[y * side + x];

test("auto_rembg drops crumbs and keeps a second person; product_pro keeps one object alone", () => {
  const matte = matteOf(box(10, 10, 40, 40), box(60, 10, 20, 40), box(90, 90, 3, 3));
  const auto = cleanMatte(matte, profiles.auto_rembg);
  expect([at(auto, 30, 30), at(auto, 70, 30), at(auto, 91, 91)]).toEqual([1, 1, 0]);
  const product = cleanMatte(matte, profiles.product_pro);
  expect([at(product, 30, 30), at(product, 70, 30), at(product, 91, 91)]).toEqual([1, 0, 0]);
});

test("a part that faint cells join to the subject is no island", () => {
  const joined = matteOf(box(10, 10, 40, 40), box(50, 30, 30, 2, 0.3), box(80, 29, 4, 4));
  expect(at(cleanMatte(joined, profiles.product_pro), 82, 31)).toBe(1);
});

test("faint traces stay beside the subject and go elsewhere", () => {
  const matte = matteOf(box(10, 10, 40, 40), box(50, 10, 5, 40, 0.15), box(70, 70, 20, 20, 0.15));
  const settled = cleanMatte(matte, profiles.auto_rembg);
  expect(at(settled, 52, 20)).toBeCloseTo(0.15);
  expect(at(settled, 80, 80)).toBe(0);
});

test("a hole the network is sure of stays, one it only suspects is filled", () => {
  const matte = matteOf(box(10, 10, 80, 80), box(30, 30, 10, 10, 0), box(60, 60, 10, 10, 0.4));
  for (const profile of Object.values(profiles)) {
    const settled = cleanMatte(matte, profile);
    expect(at(settled, 35, 35)).toBe(0);
    expect(at(settled, 65, 65)).toBe(1);
  }
});

test("an inside that is half transparent becomes opaque, its outline does not", () => {
  const settled = cleanMatte(matteOf(box(10, 10, 60, 60, 0.7)), profiles.auto_rembg);
  expect(at(settled, 40, 40)).toBe(1);
  expect(at(settled, 11, 40)).toBeCloseTo(0.7);
});

test("the subject is looked at again where it is small in a large picture, with a quarter of its size around it", () => {
  const matte = { ...matteOf(box(40, 40, 20, 20)), region: { left: 0, top: 0, width: 4000, height: 3000 } };
  const whole = matte.region;
  expect(subjectBox(matte)).toEqual({ left: 1600, top: 1200, width: 800, height: 600 });
  expect(closerRegion(matte, whole)).toEqual({ left: 1400, top: 1000, width: 1200, height: 1000 });
  const large = { ...matteOf(box(5, 5, 90, 90)), region: whole };
  expect(closerRegion(large, whole)).toBeUndefined();
  const small = { ...matte, region: { left: 0, top: 0, width: 100, height: 100 } };
  expect(closerRegion(small, small.region)).toBeUndefined();
  expect(closerRegion(matteOf(), whole)).toBeUndefined();
});
