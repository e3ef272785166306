import { expect, test } from "vitest";
import { bleedColours } from "./bleed-colours.ts";

/** A red disc on transparent green. */
function disc(full: 255 | 65_535) {
  const [width, height] = [37, 29];
  const data = full === 255 ? new Uint8Array(width * height * 4) : new Uint16Array(width * height * 4);
  for (let i = 0; i < width * height; i += 1) {
    const distance = Math.hypot((i % width) - 15, Math.floor(i / width) - 12);
    const level = (of: number) => Math.round((of / 255) * full);
    if (distance < 6) data.set([level(200), 0, level(40), full], i * 4);
    else data.set([0, full, 0, 0], i * 4);
  }
  return { data, width, height, channels: 4 as const };
}

test.each([255, 65_535] as const)("transparent pixels take the colour of the nearest visible one, of %i", (full) => {
  const picture = disc(full);
  const before = picture.data.slice();
  bleedColours(picture);
  picture.data.forEach((value, i) => {
    const [alpha, c] = [before[i - (i % 4) + 3] ?? 0, i % 4];
    if (c === 3 || alpha === full) expect(value).toBe(before[i]);
    else if (alpha === 0)
      expect(Math.abs(value - (([200, 0, 40][c] ?? 0) * full) / 255)).toBeLessThanOrEqual(full / 100);
  });
});

test("a colour that is hardly there counts little, and one that is there is not touched", () => {
  const picture = { data: Uint8Array.of(100, 50, 20, 255, 0, 255, 0, 1), width: 2, height: 1, channels: 4 as const };
  bleedColours(picture);
  expect([...picture.data.subarray(0, 4)]).toEqual([100, 50, 20, 255]);
  expect(picture.data[5]).toBeLessThan(80);
});

test("a picture without anything to be seen is left in peace, as is one without gaps", () => {
  for (const alpha of [0, 255]) {
    const data = new Uint8Array(6 * 5 * 2).map((_, i) => (i % 2 === 1 ? alpha : 0));
    const before = data.slice();
    bleedColours({ data, width: 6, height: 5, channels: 2 });
    expect(data).toEqual(before);
  }
});
