import { expect, test } from "vitest";
import { cropBoxOf, framedSides, stepsOf } from "../../state/frame.ts";
import { sentSteps } from "../../state/order.ts";
import { draggedGrip, movedBox } from "./resize-box.ts";

const whole = { widthPx: 400, heightPx: 300 };
const box = { left: 100, top: 100, width: 100, height: 50 };

test("a box moves within the picture and keeps its size", () => {
  expect(movedBox(box, { x: 20, y: -20 }, whole)).toEqual({ ...box, left: 120, top: 80 });
  expect(movedBox(box, { x: 900, y: 900 }, whole)).toEqual({ ...box, left: 300, top: 250 });
});

test("a dragged corner leaves the opposite one in its place, and a kept ratio is kept at the edge too", () => {
  expect(draggedGrip(box, { grip: "se", x: 250, y: 200, ratio: undefined }, whole)).toEqual({
    left: 100,
    top: 100,
    width: 150,
    height: 100,
  });
  expect(draggedGrip(box, { grip: "nw", x: 50, y: 120, ratio: undefined }, whole)).toEqual({
    left: 50,
    top: 120,
    width: 150,
    height: 30,
  });
  expect(draggedGrip(box, { grip: "nw", x: -900, y: -900, ratio: 2 }, whole)).toEqual({
    left: 0,
    top: 50,
    width: 200,
    height: 100,
  });
  expect(draggedGrip(box, { grip: "se", x: 90, y: 90, ratio: undefined }, whole)).toMatchObject({
    width: 1,
    height: 1,
  });
});

test("a dragged edge moves alone, and with a kept ratio sizes the other way about the middle", () => {
  expect(draggedGrip(box, { grip: "e", x: 250, y: 0, ratio: undefined }, whole)).toEqual({ ...box, width: 150 });
  expect(draggedGrip(box, { grip: "n", x: 0, y: 20, ratio: undefined }, whole)).toEqual({
    ...box,
    top: 20,
    height: 130,
  });
  expect(draggedGrip(box, { grip: "w", x: 40, y: 0, ratio: 2 }, whole)).toEqual({
    left: 40,
    top: 85,
    width: 160,
    height: 80,
  });
  // The centre is at y = 125, so a height of 250 px fits.
  expect(draggedGrip(box, { grip: "e", x: 400, y: 0, ratio: 1 }, whole)).toEqual({
    left: 100,
    top: 0,
    width: 250,
    height: 250,
  });
});

test("a shape takes the largest box in the middle of the turned picture", () => {
  expect(cropBoxOf(whole, { crop: { ratio: "1:1" } })).toEqual({ left: 50, top: 0, width: 300, height: 300 });
  expect(framedSides(whole, { degrees: 90, crop: { ratio: "1:1" } })).toEqual({ widthPx: 300, heightPx: 300 });
  expect(framedSides(whole, { degrees: 270 })).toEqual({ widthPx: 300, heightPx: 400 });
});

test("a frame is sent as steps before all others, and without one the tool's step is alone", () => {
  const own = { compress: { quality: 60 } };
  const order = { tool: "compress", settings: { quality: "60" }, cursor: 0 } as const;
  expect(sentSteps({ ...order, steps: [own], frame: undefined })).toEqual([own]);
  const frame = { degrees: 90, flip: "vertical", crop: { ratio: "4:5" } } as const;
  expect(sentSteps({ ...order, steps: [{ resize: { width: 100 } }, own], cursor: 1, frame })).toEqual([
    { turn: { degrees: 90, flip: "vertical" } },
    { crop: { ratio: "4:5" } },
    { resize: { width: 100 } },
    own,
  ]);
  expect(stepsOf({ crop: box })).toEqual([{ crop: box }]);
});
