import type { Raster } from "@tintype/codecs/raster";
import { expect, test } from "vitest";
import { findComponents } from "../cutout/components.ts";
import { enlargeAlpha } from "./enlarge-alpha.ts";

const side = 48;
/** A body with arms, a hole and steps along its edge, opaque or transparent. */
const sprite: Raster<Uint8Array> = (() => {
  const data = Uint8Array.from({ length: side * side }, (_, i) => {
    const [x, y] = [(i % side) - side / 2, Math.floor(i / side) - side / 2];
    const radius = Math.hypot(x, y);
    const isArm = Math.abs(y + x / 2) < 2.5 || (Math.abs(x - 4) < 2 && y > 0);
    return (radius < 15 || isArm) && radius > 4 && radius < 21 ? 255 : 0;
  });
  return { data, width: side, height: side, channels: 1 };
})();

const parts = ({ data, width }: Raster, isPart: (alpha: number) => boolean) =>
  findComponents(
    Uint8Array.from(data, (alpha) => (isPart(alpha) ? 1 : 0)),
    { width },
  ).sizes.length;

test.each([2, 4] as const)("a hard edge enlarged %i times has no holes and no specks, at any alpha", (scale) => {
  const enlarged = enlargeAlpha(sprite, scale);
  const [bodies, holes] = [parts(sprite, (alpha) => alpha > 127), parts(sprite, (alpha) => alpha <= 127)];
  for (const level of [8, 32, 64, 127, 192, 224, 250]) {
    expect(parts(enlarged, (alpha) => alpha > level)).toBeLessThanOrEqual(bodies);
    expect(parts(enlarged, (alpha) => alpha <= level)).toBeLessThanOrEqual(holes);
  }
});

test("a hard edge stays as narrow as a pixel of the source, and in its place", () => {
  const edge = { data: Uint8Array.from({ length: 64 }, (_, i) => (i % 8 < 4 ? 0 : 255)), width: 8, height: 8 } as const;
  const { data } = enlargeAlpha({ ...edge, channels: 1 }, 4);
  const row = [...data.subarray(0, 32)];
  expect(row.filter((alpha) => alpha > 0 && alpha < 255).length).toBeLessThanOrEqual(4);
  expect(row.reduce((sum, alpha) => sum + alpha, 0)).toBe(16 * 255);
});

test("soft alpha keeps its slope, and full range has 16 bits too", () => {
  const ramp = Uint16Array.from({ length: 32 * 4 }, (_, i) => 20_000 + (i % 32) * 500);
  const { data } = enlargeAlpha({ data: ramp, width: 32, height: 4, channels: 1 }, 2);
  for (let x = 8; x < 56; x += 1) expect(data[x]).toBeCloseTo(20_000 + 250 * x - 125, -1);
});
