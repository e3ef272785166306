import { resizeMethods } from "@tintype/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { resizeGeometry } from "./geometry.ts";

const side = fc.integer({ min: 1, max: 16_384 });
const picture = fc.record({ width: side, height: side });
const method = fc.constantFrom(...resizeMethods);

/** How much the result is stretched more one way than the other, in pixels of the result. */
const distortion = ({ width, height, window }: ReturnType<typeof resizeGeometry>) =>
  Math.min(
    Math.abs(width - (window.width * height) / window.height),
    Math.abs(height - (window.height * width) / window.width),
  );

test("fit touches the box with one side and stays inside with the other, to the nearest pixel of its ratio", () => {
  fc.assert(
    fc.property(picture, picture, (size, box) => {
      const result = resizeGeometry(size, { ...box, method: "fit" });
      expect(result.width === box.width || result.height === box.height).toBe(true);
      expect(result.width).toBeLessThanOrEqual(box.width);
      expect(result.height).toBeLessThanOrEqual(box.height);
      if (Math.min(result.width, result.height) > 1) expect(distortion(result)).toBeLessThanOrEqual(0.5001);
      expect(result.window).toEqual({ left: 0, top: 0, ...size });
    }),
  );
});

test("fill is the box, and shows the largest centred part of its ratio, all of one side", () => {
  fc.assert(
    fc.property(picture, picture, (size, box) => {
      const { window, ...result } = resizeGeometry(size, { ...box, method: "fill" });
      expect(result).toEqual(box);
      expect(distortion({ ...result, window })).toBeLessThan(1e-6 * 16_384);
      expect(window.left).toBeGreaterThanOrEqual(0);
      expect(window.top).toBeGreaterThanOrEqual(0);
      expect(window.left * 2 + window.width).toBeCloseTo(size.width, 6);
      expect(window.top * 2 + window.height).toBeCloseTo(size.height, 6);
      expect(window.width === size.width || window.height === size.height).toBe(true);
    }),
  );
});

test("stretch is the box, and shows all", () => {
  fc.assert(
    fc.property(picture, picture, (size, box) => {
      const { window, ...result } = resizeGeometry(size, { ...box, method: "stretch" });
      expect([result, window]).toEqual([box, { left: 0, top: 0, ...size }]);
    }),
  );
});

// product: resize-methods
test("a blank side follows from the ratio, whatever the method, and is at least one pixel", () => {
  fc.assert(
    fc.property(picture, side, method, (size, wanted, chosen) => {
      const byWidth = resizeGeometry(size, { width: wanted, method: chosen });
      expect(byWidth.width).toBe(wanted);
      expect(byWidth.height).toBe(Math.max(1, Math.round((size.height * wanted) / size.width)));
      const byHeight = resizeGeometry(size, { height: wanted, method: chosen });
      expect(byHeight.height).toBe(wanted);
      expect(byHeight.width).toBe(Math.max(1, Math.round((size.width * wanted) / size.height)));
    }),
  );
});

test.each([
  { size: [4000, 3000], box: { width: 1600, height: 1600, method: "fit" }, result: [1600, 1200] },
  { size: [4000, 3000], box: { width: 1600, height: 1600, method: "fill" }, result: [1600, 1600] },
  { size: [100, 50], box: { width: 300, height: 300, method: "fit" }, result: [300, 150] },
  { size: [10_000, 1], box: { width: 100, height: 100, method: "fit" }, result: [100, 1] },
  { size: [3, 2], box: { height: 7, method: "fill" }, result: [11, 7] },
] as const)("$size in $box is $result", ({ size: [width, height], box, result }) => {
  const geometry = resizeGeometry({ width, height }, box);
  expect([geometry.width, geometry.height]).toEqual(result);
});
