import sharp from "sharp";
import { expect, test } from "vitest";
import { ssimulacra2 } from "../../quality/score/ssimulacra2.ts";
import { asDecodedPicture } from "../../raster/decoded-picture.ts";
import { draw, drawPhoto, randomNumbers } from "../../testing/drawn-pictures.ts";
import { encodeWebp } from "./write.ts";

const random = randomNumbers(3);
/** Balls with soft light and a grain on an even ground: thousands of colours, and most pixels equal their neighbours. */
const balls = draw({ width: 480, height: 320 }, 3, (x, y) => {
  const [across, down] = [(x % 120) - 60, (y % 80) - 40];
  if (Math.hypot(across, down) > 26) return [250, 250, 252];
  const light = Math.hypot(across + 12, down + 12);
  const grain = 6 * random();
  return [230 - 3 * light + grain, 120 - x / 16 - light + grain, 40 + y / 4 + 2 * light + grain];
});

test.each([75, 90, 95])(
  "a drawing at %i takes fewer bytes than without loss, and keeps the likeness",
  async (quality) => {
    const picture = asDecodedPicture(balls);
    const { bytes } = await encodeWebp(picture.open(), { quality });
    const lossless = await picture.open().webp({ lossless: true, effort: 5 }).toBuffer();
    expect(bytes.length).toBeLessThan(lossless.length * 0.95);
    const data = await sharp(bytes).removeAlpha().raw().toBuffer();
    expect(ssimulacra2(balls, { ...balls, data })).toBeGreaterThan({ 75: 74, 90: 83.8, 95: 88 }[quality] ?? 100);
  },
);

test("quality rises up to no loss, and bytes with it", async () => {
  const photo = asDecodedPicture(drawPhoto({ width: 240, height: 160 }));
  const sizes: number[] = [];
  for (const quality of [90, 97, 98, 99, 100]) sizes.push((await encodeWebp(photo.open(), { quality })).bytes.length);
  expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
});
