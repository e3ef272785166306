import { resizeMethods } from "@tintype/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { resizeGeometry } from "./geometry.ts";

const side = fc.integer({ min: 1, max: 16_384 });
const picture = fc.record({ width: side, height: side });
const method = fc.constantFrom(...resizeMethods);

/** How much more the result is stretched in one direction than in the other, in pixels of the result. */
const distortion = ({ width, height, window }: ReturnType<typeof resizeGeometry>) =>
  Math.min(
    Math.abs(width - (window.width * height) / window.height),
    Math.abs(height - (window.height * width) / window.width),
  );

test("fit touches the box with one side and stays inside with the other, to the nearest pixel of its ratio", () => {
  fc.assert(
    fc.property(picture, picture, (size, box) => {
      const result = resizeGeometry(size, { ...box, method: "fit", enlarge: true });
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
      const byWidth = resizeGeometry(size, { width: wanted, method: chosen, enlarge: true });
      expect(byWidth.width).toBe(wanted);
      expect(byWidth.height).toBe(Math.max(1, Math.round((size.height * wanted) / size.width)));
      const byHeight = resizeGeometry(size, { height: wanted, method: chosen, enlarge: true });
      expect(byHeight.height).toBe(wanted);
      expect(byHeight.width).toBe(Math.max(1, Math.round((size.width * wanted) / size.height)));
    }),
  );
});

test.each([
  { size: [4000, 3000], box: { width: 1600, height: 1600, method: "fit" }, result: [1600, 1200] },
  { size: [4000, 3000], box: { width: 1600, height: 1600, method: "fill" }, result: [1600, 1600] },
  { size: [100, 50], box: { width: 300, height: 300, method: "fit", enlarge: true }, result: [300, 150] },
  { size: [100, 50], box: { width: 300, height: 300, method: "fit" }, result: [100, 50] },
  { size: [100, 50], box: { width: 300, height: 20, method: "fit" }, result: [40, 20] },
  { size: [100, 50], box: { width: 300, method: "fit" }, result: [100, 50] },
  { size: [100, 50], box: { width: 300, height: 300, method: "fill" }, result: [300, 300] },
  { size: [100, 50], box: { width: 300, height: 300, method: "fill", enlarge: false }, result: [50, 50] },
  { size: [101, 50], box: { width: 400, height: 300, method: "fill", enlarge: false }, result: [67, 50] },
  { size: [100, 50], box: { width: 60, height: 90, method: "stretch", enlarge: false }, result: [60, 50] },
  { size: [100, 50], box: { percent: 200, method: "fill" }, result: [200, 100] },
  { size: [100, 50], box: { percent: 200, method: "fill", enlarge: false }, result: [100, 50] },
  { size: [10_000, 1], box: { width: 100, height: 100, method: "fit" }, result: [100, 1] },
  { size: [3, 2], box: { height: 7, method: "fill" }, result: [11, 7] },
] as const)("$size in $box is $result", ({ size: [width, height], box, result }) => {
  const geometry = resizeGeometry({ width, height }, box);
  expect([geometry.width, geometry.height]).toEqual(result);
});

test("without enlarge no side of the result has more pixels than the part that it shows, and an SVG is drawn at any size", () => {
  fc.assert(
    fc.property(picture, picture, method, (size, box, chosen) => {
      const { window, ...result } = resizeGeometry(size, { ...box, method: chosen, enlarge: false });
      expect(result.width).toBeLessThanOrEqual(Math.max(1, Math.ceil(window.width)));
      expect(result.height).toBeLessThanOrEqual(Math.max(1, Math.ceil(window.height)));
      expect(window.left + window.width).toBeLessThanOrEqual(size.width + 1e-6);
      expect(window.top + window.height).toBeLessThanOrEqual(size.height + 1e-6);
    }),
  );
  const box = { width: 300, height: 300, method: "fit" } as const;
  expect(resizeGeometry({ width: 100, height: 50, format: "svg" }, box)).toMatchObject({ width: 300, height: 150 });
});
