import { expect, test } from "vitest";
import { candidatesOf, isIncomplete, maxCandidates } from "./candidates.ts";
import type { FoundMatte } from "./find-matte.ts";
import type { Matte } from "./matte.ts";
import { profiles } from "./profiles.ts";

const side = 256;
const region = { left: 0, top: 0, width: side, height: side };
type Box = { left: number; top: number; right: number; bottom: number; value?: number };

function grid(boxes: readonly Box[]): Float32Array {
  const values = new Float32Array(side * side);
  for (const { left, top, right, bottom, value = 0.98 } of boxes)
    for (let y = top; y < bottom; y += 1) values.fill(value, y * side + left, y * side + right);
  return values;
}
const matteOf = (...boxes: Box[]): Matte => ({ values: grid(boxes), width: side, height: side, region });
const share = ({ values }: Matte) => values.filter((value) => value > 0.5).length / values.length;

const head = { left: 104, top: 20, right: 152, bottom: 70 };
const body = { left: 40, top: 70, right: 216, bottom: 250 };
const hat = { left: 104, top: 4, right: 152, bottom: 20 };
const findingOf = (plain: Matte, more: Partial<FoundMatte["views"]> = {}): FoundMatte => ({
  matte: plain,
  views: { plain, first: plain, ...more },
});
const auto = profiles.auto_rembg;

test("of a head without its body the body joined is offered second, and the result is said to be incomplete", () => {
  const found = findingOf(matteOf(head), { prior: grid([head, body]) });
  const [shown, joined, ...others] = candidatesOf(found, auto);
  expect(shown && share(shown.matte)).toBeCloseTo(share(matteOf(head)), 3);
  expect(joined && share(joined.matte)).toBeCloseTo(share(matteOf(head, body)), 2);
  expect(others).toEqual([]);
  expect(joined?.confidence).toBeGreaterThan(shown?.confidence ?? 1);
  expect(isIncomplete(found, auto)).toBe(true);
});

test("a pass that finds something else is offered with the body and without it, and never more than three in all", () => {
  const found = findingOf(matteOf(head), { darker: matteOf(hat, head), prior: grid([head, body]) });
  const candidates = candidatesOf(found, auto);
  expect(candidates).toHaveLength(maxCandidates);
  const shares = candidates.map(({ matte }) => share(matte));
  expect(shares[1]).toBeCloseTo(share(matteOf(head, body)), 2);
  expect(shares[2]).toBeCloseTo(share(matteOf(hat, head)), 2);
});

test("where all views agree one candidate is left, and nothing is missing", () => {
  const whole = matteOf(head, body);
  const found = findingOf(whole, { darker: matteOf(head, { ...body, bottom: 248 }), prior: grid([head, body]) });
  expect(candidatesOf(found, auto)).toHaveLength(1);
  expect(isIncomplete(found, auto)).toBe(false);
});

test.each([
  ["no networks for people", undefined],
  ["a prior without certainty", grid([head, { ...body, value: 0.6 }])],
  ["a prior that sees its person elsewhere", grid([{ left: 180, top: 150, right: 250, bottom: 250 }])],
  ["a part no larger than a hand", grid([head, { left: 90, top: 70, right: 100, bottom: 80 }])],
])("%s flags nothing", (_, prior) => {
  expect(isIncomplete(findingOf(matteOf(head), prior ? { prior } : {}), auto)).toBe(false);
});

test("a body beyond a closer pass is missed and joined all the same", () => {
  const plain = matteOf(head);
  const nearRegion = { left: 90, top: 10, width: 76, height: 64 };
  const near: Matte = {
    values: new Float32Array(side * side).fill(0.98),
    width: side,
    height: side,
    region: nearRegion,
  };
  const prior = grid([head, body]);
  const nearPrior = new Float32Array(side * side).fill(0.98);
  const found: FoundMatte = { matte: near, views: { plain, first: plain, prior, nearPrior } };
  expect(isIncomplete(found, auto)).toBe(true);
  const [, joined] = candidatesOf(found, auto);
  expect(joined?.matte.region).toEqual(region);
  expect(joined && share(joined.matte)).toBeCloseTo(share(matteOf(head, body)), 2);
});

test("the confidence of a matte on a closer pass's grid is compared with the person at the same place", () => {
  const person = [head, { ...body, bottom: 200 }];
  const plain = matteOf(head);
  const nearRegion = { left: 30, top: 10, width: 196, height: 200 };
  const closer = ({ left, top, right, bottom }: Box): Box => {
    const scale = [side / nearRegion.width, side / nearRegion.height] as const;
    return {
      left: Math.round((left - nearRegion.left) * scale[0]),
      right: Math.round((right - nearRegion.left) * scale[0]),
      top: Math.round((top - nearRegion.top) * scale[1]),
      bottom: Math.round((bottom - nearRegion.top) * scale[1]),
    };
  };
  const near: Matte = { ...matteOf(...person.map(closer)), region: nearRegion };
  // The person is 12 % larger than the matte. The overlap must be the same for a matte of the whole picture and of a
  // crop.
  const prior = grid([head, { left: 30, top: 60, right: 226, bottom: 212 }]);
  const confidenceOfJoined = (first: Matte) =>
    candidatesOf({ matte: plain, views: { plain, first, prior } }, auto).map(({ confidence }) => confidence);
  const [whole, closeUp] = [confidenceOfJoined(matteOf(...person)), confidenceOfJoined(near)];
  expect(closeUp.length).toBe(whole.length);
  for (const [place, confidence] of closeUp.entries()) expect(confidence).toBeCloseTo(whole[place] as number, 1);
});
