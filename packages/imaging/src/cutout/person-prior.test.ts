import { expect, test } from "vitest";
import { addMissingParts } from "./add-missing-parts.ts";
import { confidenceOf } from "./confidence.ts";
import type { Matte } from "./matte.ts";
import { agreementOf, type PersonPrior, showsPerson } from "./person-prior.ts";

const side = 256;
const region = { left: 0, top: 0, width: side, height: side };
type Box = { left: number; top: number; right: number; bottom: number };

/** A grid that is `value` in the boxes and 0 elsewhere. */
function grid(boxes: readonly (Box & { value?: number })[]): Float32Array {
  const values = new Float32Array(side * side);
  for (const { left, top, right, bottom, value = 0.98 } of boxes)
    for (let y = top; y < bottom; y += 1) values.fill(value, y * side + left, y * side + right);
  return values;
}
const matteOf = (...boxes: Box[]): Matte => ({ values: grid(boxes), width: side, height: side, region });
const share = ({ values }: Pick<Matte, "values">) => values.filter((value) => value > 0.5).length / values.length;

const head = { left: 96, top: 20, right: 160, bottom: 100 };
const shirt = { left: 56, top: 100, right: 200, bottom: 160 };

test("a shirt that the large network lost comes back, and the matte elsewhere stays as it was", () => {
  const lost = matteOf(head);
  const found = addMissingParts(lost, grid([head, shirt]));
  expect(share(found)).toBeGreaterThan(share(matteOf(head, shirt)) * 0.98);
  expect(share(found)).toBeLessThanOrEqual(share(matteOf(head, shirt)));
  for (let cell = 0; cell < 90 * side; cell += 1) expect(found.values[cell]).toBe(lost.values[cell]);
});

test("a patterned shirt that the prior takes for likely comes back beside a lost shoulder", () => {
  const shoulder = { ...shirt, right: 120 };
  const patterned = { ...shirt, left: 120, value: 0.85 };
  const lost = matteOf(head);
  const whole = share(matteOf(head, shirt));
  const found = addMissingParts(lost, grid([head, shoulder, patterned]));
  expect(share(found)).toBeGreaterThan(whole * 0.97);
  // A part that the prior considers likely, but not connected to a confident one, is not added.
  const apart = { left: 4, top: 200, right: 84, bottom: 250, value: 0.85 };
  expect(share(addMissingParts(lost, grid([head, shirt, apart])))).toBeLessThanOrEqual(whole);
});

test("an added part fades out where it ends", () => {
  const { values } = addMissingParts(
    matteOf(head),
    grid([head, shirt, { ...shirt, top: 160, bottom: 170, value: 0.8 }]),
  );
  const below = Array.from({ length: 10 }, (_, row) => values[(158 + row) * side + 128] ?? 0);
  expect(below).toEqual(below.toSorted((a, b) => b - a));
  const steps = below.slice(1).map((value, row) => (below[row] ?? 0) - value);
  expect(Math.max(...steps)).toBeLessThan(0.6);
});

const wholeness = { left: 56, top: 20, right: 200, bottom: 160 };
test.each<[string, Matte, PersonPrior]>([
  ["a prior without certainty", matteOf(head), grid([head, { ...shirt, value: 0.7 }])],
  ["a likely part beside a matte that lacks next to nothing", matteOf(head), grid([head, { ...shirt, value: 0.8 }])],
  [
    "a part that hangs together with nothing",
    matteOf(shirt),
    grid([shirt, { left: 4, top: 10, right: 44, bottom: 70 }]),
  ],
  ["a rim around the subject", matteOf(shirt), grid([{ left: 54, top: 98, right: 202, bottom: 162 }])],
  ["a subject that the prior hardly knows", matteOf(wholeness), grid([head, { ...shirt, top: 150, bottom: 230 }])],
  [
    "a prior that sees its person elsewhere",
    matteOf(head),
    grid([{ ...shirt, top: 98, left: 20, right: 250, bottom: 250 }]),
  ],
  ["a prior that sees no person", matteOf(head), grid([])],
])("%s adds nothing", (_, matte, prior) => {
  expect(addMissingParts(matte, prior)).toBe(matte);
});

test("a person whose matte misses a third is marked down; the same matte of a thing is not", () => {
  const matte = matteOf(head);
  const prior = grid([head, { left: 96, top: 100, right: 160, bottom: 150 }]);
  expect(showsPerson(matte, prior)).toBe(true);
  const { overlap } = agreementOf(matte, prior);
  expect(overlap).toBeCloseTo(80 / 130, 2);
  const sure = confidenceOf({ matte });
  expect(confidenceOf({ matte, personOverlap: overlap })).toBeLessThan(sure - 0.1);
  expect(showsPerson(matte, grid([]))).toBe(false);
});
