import { expect, test } from "vitest";
import type { Pixels } from "./guided-filter.ts";
import { regionOf, type Segment, smartStroke } from "./smart-stroke.ts";

const size = { width: 300, height: 240 };
const disc = { x: 150, y: 120, radius: 70 };
type Colour = readonly [number, number, number];
const isInDisc = (x: number, y: number) => Math.hypot(x + 0.5 - disc.x, y + 0.5 - disc.y) < disc.radius;

function drawn(colourAt: (x: number, y: number) => Colour): Pixels {
  const data = new Uint8ClampedArray(size.width * size.height * 4);
  for (let y = 0, at = 0; y < size.height; y += 1)
    for (let x = 0; x < size.width; x += 1, at += 4) data.set([...colourAt(x, y), 255], at);
  return { ...size, data };
}
/** A red disc on green leaves, both textured. */
const scene = drawn((x, y) => {
  const texture = 24 * Math.sin(x * 0.7) * Math.cos(y * 0.9);
  return isInDisc(x, y)
    ? [190 + texture, 80 + texture, 70 + texture]
    : [90 + texture, 130 + 1.4 * texture, 80 + texture];
});

const path = (radiusPx: number, ...spots: [number, number][]): Segment[] =>
  spots.slice(1).map(([x, y], i) => {
    const [fromX, fromY] = spots[i] as [number, number];
    return { from: { x: fromX, y: fromY }, to: { x, y }, radiusPx };
  });

/** The matte after a stroke, assembled like the worker and the page do. */
function painted(
  kind: "restore" | "erase",
  { segments, before, picture = scene }: { segments: Segment[]; before: Uint8Array; picture?: Pixels },
): Uint8Array {
  const region = regionOf(segments, size);
  if (!region) throw new Error("there is nothing to search");
  const { left, top, width, height, searchWidth, searchHeight } = region;
  const rowsOf = (from: number, rows: number) => {
    const out = new Uint8ClampedArray(width * rows * 4);
    for (let y = 0; y < rows; y += 1) {
      const start = ((top + from + y) * size.width + left) * 4;
      out.set(picture.data.subarray(start, start + width * 4), y * width * 4);
    }
    return out;
  };
  const cut = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1)
    cut.set(before.subarray((top + y) * size.width + left, (top + y) * size.width + left + width), y * width);
  const moved = segments.map(({ from, to, radiusPx }) => ({
    from: { x: from.x - left, y: from.y - top },
    to: { x: to.x - left, y: to.y - top },
    radiusPx,
  }));
  expect([searchWidth, searchHeight]).toEqual([width, height]); // small enough to be searched at full size
  const values = smartStroke({
    kind,
    segments: moved,
    before: cut,
    width,
    height,
    search: { width, height, data: rowsOf(0, height) },
    readRows: rowsOf,
  });
  if (!values) throw new Error("there is nothing to tell apart");
  const after = before.slice();
  for (let y = 0; y < height; y += 1)
    after.set(values.subarray(y * width, (y + 1) * width), (top + y) * size.width + left);
  return after;
}

const matteOf = (isThere: (x: number, y: number) => boolean) =>
  Uint8Array.from({ length: size.width * size.height }, (_, i) =>
    isThere(i % size.width, Math.floor(i / size.width)) ? 255 : 0,
  );
function overlap(matte: Uint8Array, isThere: (x: number, y: number) => boolean): number {
  let [both, either] = [0, 0];
  for (const [i, value] of matte.entries()) {
    const [is, should] = [value >= 128, isThere(i % size.width, Math.floor(i / size.width))];
    if (is && should) both += 1;
    if (is || should) either += 1;
  }
  return both / either;
}

const rough = path(45, [125, 105], [160, 100], [175, 140], [130, 145]);

test("a rough stroke inside a disc restores the disc to its edge and does not leak", () => {
  const after = painted("restore", { segments: rough, before: matteOf(() => false) });
  expect(overlap(after, isInDisc)).toBeGreaterThan(0.97);
  // The stroke itself crosses no edge and leaves a fifth out.
  const within = (x: number, y: number) =>
    rough.some(({ from, to }) => [from, to].some((s) => Math.hypot(x - s.x, y - s.y) < 45));
  expect(overlap(matteOf(within), isInDisc)).toBeLessThan(0.93);
});

test("a stroke that goes over the edge is held back by it", () => {
  const segments = path(40, [110, 90], [150, 70], [190, 90]);
  const upper = (x: number, y: number) => isInDisc(x, y) && y < 125;
  const after = painted("restore", { segments, before: matteOf((x, y) => isInDisc(x, y) && y >= 125) });
  for (const [x, y] of [
    [150, 38],
    [90, 60],
    [215, 65],
  ] as const)
    expect(after[y * size.width + x]).toBe(0);
  for (const [x, y] of [
    [150, 60],
    [110, 90],
    [195, 95],
  ] as const)
    expect(after[y * size.width + x]).toBe(255);
  expect(overlap(after, isInDisc)).toBeGreaterThan(0.97);
  expect(overlap(after, upper)).toBeLessThan(0.6); // what was there is kept
});

test("an erasing stroke on the ground takes it away up to the disc, which stays", () => {
  const tooMuch = (x: number, y: number) => isInDisc(x, y) || (x > 150 && x < 285 && y > 60 && y < 180);
  const after = painted("erase", {
    segments: path(32, [250, 70], [262, 120], [250, 170]),
    before: matteOf(tooMuch),
  });
  expect(overlap(matteOf(tooMuch), isInDisc)).toBeLessThan(0.75);
  expect(overlap(after, isInDisc)).toBeGreaterThan(0.95);
});

test("without edges a stroke keeps about to its own size, and changes no byte beyond twice its radius", () => {
  const flat = drawn(() => [120, 120, 120]);
  const segments = path(20, [100, 120], [200, 120]);
  const before = Uint8Array.from({ length: size.width * size.height }, (_, i) => (i * 7) % 100); // a haze
  const after = painted("restore", { segments, before, picture: flat });
  const distance = (x: number, y: number) =>
    Math.hypot(x + 0.5 - Math.min(200, Math.max(100, x + 0.5)), y + 0.5 - 120) / 20;
  const wrong = { beyondReach: 0, far: 0, within: 0, lost: 0 };
  for (const [i, value] of after.entries()) {
    const share = distance(i % size.width, Math.floor(i / size.width));
    if (share >= 2 && value !== before[i]) wrong.beyondReach += 1;
    if (share >= 1.6 && value >= 128) wrong.far += 1;
    if (share < 0.8 && value < 255) wrong.within += 1;
    if (value < (before[i] as number)) wrong.lost += 1;
  }
  expect(wrong).toEqual({ beyondReach: 0, far: 0, within: 0, lost: 0 });
});

test("a matte that is right already is not damaged by a stroke beside its edge", () => {
  const soft = Uint8Array.from({ length: size.width * size.height }, (_, i) => {
    const [x, y] = [i % size.width, Math.floor(i / size.width)];
    return Math.round(
      255 * Math.min(1, Math.max(0, (disc.radius + 1.5 - Math.hypot(x + 0.5 - disc.x, y + 0.5 - disc.y)) / 3)),
    );
  });
  for (const after of [
    painted("restore", { segments: path(30, [150, 80], [190, 110]), before: soft }),
    painted("erase", { segments: path(30, [230, 80], [245, 130]), before: soft }),
  ]) {
    const worst = after.reduce((sum, value, i) => sum + Math.abs(value - (soft[i] as number)), 0) / 255;
    expect(worst).toBeLessThan(12); // px, of an outline of 440 px
    expect(overlap(after, isInDisc)).toBeGreaterThan(0.98);
  }
});

test("a stroke beyond whose reach all is as it wants it has nothing to be told apart from", () => {
  const island = matteOf((x, y) => Math.hypot(x - 250, y - 120) < 25);
  const segments = path(20, [245, 120], [255, 120]);
  expect(() => painted("erase", { segments, before: island })).toThrow("there is nothing to tell apart");
  expect(() => painted("restore", { segments, before: matteOf(() => true) })).toThrow("there is nothing to tell apart");
});

test("a change at one side of the picture does not go on at the other", () => {
  const flat = drawn(() => [120, 120, 120]);
  const half = 150;
  const before = Uint8Array.from({ length: size.width * size.height }, (_, i) => {
    const x = i % size.width;
    if (x === 0) return half;
    return x < 250 ? 255 : 0;
  });
  const after = painted("restore", { segments: path(45, [0, 60], [299, 60]), before, picture: flat });
  for (const y of [50, 60, 70])
    expect([after[y * size.width], after[y * size.width + size.width - 1]]).toEqual([half, 255]);
});

test("the border is soft where the original is, and as wide", () => {
  const fade = (x: number) => Math.min(1, Math.max(0, Math.min(x - 145, 255 - x) / 10));
  const picture = drawn((x) => [40 + 180 * fade(x), 60 + 20 * fade(x), 200 - 150 * fade(x)]);
  const after = painted("restore", {
    segments: path(30, [200, 60], [200, 180]),
    before: matteOf(() => false),
    picture,
  });
  const row = [...after.subarray(120 * size.width, 121 * size.width)];
  const softCount = row.slice(100, 200).filter((value) => value > 12 && value < 243).length;
  expect(softCount).toBeGreaterThanOrEqual(3);
  expect(softCount).toBeLessThanOrEqual(14);
  expect([row[140], row[162]]).toEqual([0, 255]);
});

test("a region has the surroundings, stays within the picture, and is undefined where nothing can be found", () => {
  expect(regionOf(path(10, [50, 50], [60, 50]), size)).toEqual({
    left: 20,
    top: 20,
    width: 70,
    height: 60,
    searchWidth: 70,
    searchHeight: 60,
  });
  expect(regionOf(path(100, [0, 0], [0, 0]), { width: 4000, height: 3000 })).toMatchObject({
    left: 0,
    top: 0,
    width: 300,
  });
  const large = regionOf(path(300, [0, 0], [4000, 3000]), { width: 4000, height: 3000 });
  expect(large).toMatchObject({ width: 4000, height: 3000, searchWidth: 448, searchHeight: 336 });
  expect(regionOf(path(10, [-200, -200], [-300, -200]), size)).toBeUndefined();
  expect(regionOf(path(2, [0, 0], [4000, 0]), { width: 4000, height: 3000 })).toBeUndefined();
});
