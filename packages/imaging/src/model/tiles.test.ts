import type { Rectangle } from "@tintype/codecs/raster";
import fc from "fast-check";
import { expect, test } from "vitest";
import { layOutTiles } from "./tiles.ts";

const tiling = fc.record({
  width: fc.integer({ min: 1, max: 900 }),
  height: fc.integer({ min: 1, max: 900 }),
  reachPx: fc.integer({ min: 0, max: 20 }),
  edgePx: fc.integer({ min: 0, max: 20 }),
  maxPixels: fc.integer({ min: 4_000, max: 90_000 }),
});
const right = ({ left, width }: Rectangle) => left + width;
const bottom = ({ top, height }: Rectangle) => top + height;

test("every pixel is given by exactly one tile", () => {
  fc.assert(
    fc.property(tiling, (of) => {
      const given = new Uint8Array(of.width * of.height);
      for (const { core } of layOutTiles(of))
        for (let y = core.top; y < bottom(core); y += 1)
          for (let x = core.left; x < right(core); x += 1) given[y * of.width + x] = (given[y * of.width + x] ?? 0) + 1;
      expect(given.every((times) => times === 1)).toBe(true);
    }),
    { numRuns: 40 },
  );
});

test("a tile sees as far as the model does, and so far out of the picture as is asked", () => {
  fc.assert(
    fc.property(tiling, (of) => {
      const seen = (distance: number) => Math.min(of.reachPx, of.edgePx + distance);
      for (const { core, around } of layOutTiles(of)) {
        expect([core.left - around.left, core.top - around.top]).toEqual([seen(core.left), seen(core.top)]);
        expect(right(around) - right(core)).toBe(seen(of.width - right(core)));
        expect(bottom(around) - bottom(core)).toBe(seen(of.height - bottom(core)));
      }
    }),
  );
});

test("no tile is larger than the bound, and none is a sliver beside the others", () => {
  fc.assert(
    fc.property(tiling, (of) => {
      const tiles = layOutTiles(of);
      for (const { around } of tiles) expect(around.width * around.height).toBeLessThanOrEqual(of.maxPixels);
      for (const side of ["width", "height"] as const) {
        const sides = tiles.map(({ core }) => core[side]);
        expect(Math.max(...sides) - Math.min(...sides)).toBeLessThanOrEqual(1);
      }
    }),
  );
});

test("a picture that fits is one tile, whatever its shape", () => {
  for (const [width, height] of [
    [200, 190],
    [2_500, 4],
    [3, 2_700],
    [1, 1],
  ] as const)
    expect(layOutTiles({ width, height, reachPx: 5, maxPixels: 42_000 })).toHaveLength(1);
});
