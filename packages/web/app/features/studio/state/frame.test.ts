import { isInStraightened } from "@tintype/contract";
import { expect, test } from "vitest";
import { boundsOf, copyFrame, cropBoxOf, framedSides, moveBox, stepsOf, straightenTo } from "./frame.ts";

const whole = { widthPx: 600, heightPx: 400 };
const picture = { width: 600, height: 400 };

test("a straightened picture is the largest part without a corner, of its own shape or of a ratio", () => {
  expect(framedSides(whole, { straighten: 10 })).toEqual({ widthPx: 481, heightPx: 321 });
  const square = cropBoxOf(whole, { straighten: 10, crop: { ratio: "1:1" } });
  expect(square).toMatchObject({ width: 345, height: 345 });
  expect(framedSides(whole, { degrees: 90, straighten: 10 })).toEqual({ widthPx: 321, heightPx: 481 });
});

test("an angle goes as a field of the crop, after the turn", () => {
  expect(stepsOf({ straighten: -3.5 })).toEqual([{ crop: { straighten: -3.5 } }]);
  expect(stepsOf({ degrees: 90, straighten: 2, crop: { ratio: "4:5" } })).toEqual([
    { turn: { degrees: 90 } },
    { crop: { ratio: "4:5", straighten: 2 } },
  ]);
});

test("a box gets smaller with the angle, and comes back as it was without one", () => {
  const box = { left: 0, top: 0, width: 600, height: 400 };
  const userCrop = { box, bounds: whole };
  const turned = straightenTo({ crop: box }, { degrees: 20, turned: whole, userCrop });
  const less = cropBoxOf(whole, turned);
  expect(less.width).toBeLessThan(450);
  expect(isInStraightened(less, { picture, degrees: 20 })).toBe(true);
  expect(straightenTo(turned, { degrees: 0, turned: whole, userCrop })).toEqual({ crop: box });
});

test("a box that is dragged stops at the edge of the straightened picture, and slides along it", () => {
  const frame = { straighten: 15 };
  const from = { left: 250, top: 200, width: 120, height: 80 };
  const of = { turned: whole, frame, isRatioLocked: false };
  for (const to of [
    { ...from, left: 0, top: 0 },
    { ...from, left: 560 },
    { left: 0, top: 0, width: 690, height: 540 },
  ]) {
    const box = moveBox(from, to, of);
    expect(isInStraightened(box, { picture, degrees: 15 })).toBe(true);
    expect(box).not.toEqual(from);
  }
  const shaped = moveBox(from, { ...from, width: 600, height: 400 }, { ...of, isRatioLocked: true });
  expect(shaped.width / shaped.height).toBeCloseTo(1.5, 1);
});

test("another picture gets the same angle, and a box that is inside it", () => {
  const frame = { straighten: 12, crop: { left: 200, top: 150, width: 240, height: 160 } };
  const { frame: copied } = copyFrame(frame, { from: whole, to: { widthPx: 1200, heightPx: 900 } });
  expect(copied.straighten).toBe(12);
  const box = cropBoxOf({ widthPx: 1200, heightPx: 900 }, copied);
  expect(isInStraightened(box, { picture: { width: 1200, height: 900 }, degrees: 12 })).toBe(true);
  expect(box.width / box.height).toBeCloseTo(1.5, 1);
  expect(boundsOf(whole, { straighten: 12 }).widthPx).toBeGreaterThan(600);
});
