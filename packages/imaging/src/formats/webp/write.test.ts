import type { Raster } from "@tintype/codecs/raster";
import { ssimulacra2 } from "@tintype/codecs/score";
import sharp from "sharp";
import { expect, test } from "vitest";
import { draw, drawPhoto, randomNumbers } from "../../../../codecs/src/testing/drawn-pictures.ts";
import { targetScore } from "../../quality/scale.ts";
import { asDecodedPicture } from "../../raster/decoded-picture.ts";
import { encodeWebp } from "./write.ts";

const random = randomNumbers(3);
/** Shaded spheres with grain on a flat background: thousands of colours, and most pixels equal their neighbours. */
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

/** Anti-aliased discs in six colours on a panel whose left edge is transparent, then translucent. */
const panel = draw({ width: 480, height: 360 }, 4, (x, y) => {
  const [column, row] = [Math.floor(x / 30), Math.floor(y / 30)];
  const share = Math.max(0, Math.min(1, 9.5 - Math.hypot((x % 30) - 14.3, (y % 30) - 14.8)));
  const ground = [248, 246, 252 - row];
  const colour = [20 + column * 12, 90 + ((row * 37) % 110), 60 + (((column + row) * 53) % 190)];
  return [
    ...ground.map((value, i) => value + share * ((colour[i] as number) - value)),
    x < 24 ? 0 : x < 48 ? 128 : 255,
  ];
});

test.each([50, 75, 90])(
  "an interface at %i is written in few colours, with the likeness and its alpha",
  async (quality) => {
    const picture = asDecodedPicture(panel);
    const { bytes } = await encodeWebp(picture.open(), { quality });
    const near = await picture.open().webp({ nearLossless: true, quality: 20, effort: 5 }).toBuffer();
    expect(bytes.length).toBeLessThan(near.length * 0.8);
    const shown = await sharp(bytes).ensureAlpha().raw().toBuffer();
    const onWhite = async (data: Uint8Array): Promise<Raster<Uint8Array>> => ({
      ...panel,
      channels: 3,
      data: await sharp(data, { raw: panel }).flatten({ background: "white" }).raw().toBuffer(),
    });
    expect(ssimulacra2(await onWhite(panel.data), await onWhite(shown))).toBeGreaterThan(targetScore(quality) - 3);
    for (const x of [10, 40, 200]) expect(shown[x * 4 + 3]).toBe(panel.data[x * 4 + 3]);
  },
);

test("pixel art at its own size keeps its colours: WebP with loss would halve them, and takes more bytes", async () => {
  const colours = Array.from({ length: 12 }, () => [0, 0, 0].map(() => Math.floor(random() * 256)));
  const art = draw({ width: 32, height: 32 }, 3, () => colours[Math.floor(random() * 12)] as number[]);
  const { bytes } = await encodeWebp(asDecodedPicture(art).open(), { quality: 85 });
  expect(ssimulacra2(art, { ...art, data: await sharp(bytes).removeAlpha().raw().toBuffer() })).toBeGreaterThan(80);
});

test("the frames of a moving drawing are coded without loss where that is smaller", async () => {
  const frames = Array.from({ length: 4 }, (_, i) =>
    draw({ width: 96, height: 64 }, 3, (x, y) => ((x + y * 3 + i * 8) % 24 < 3 ? [200, 30, 60] : [250, 250, 245])),
  );
  const pngs = await Promise.all(frames.map((frame) => asDecodedPicture(frame).open().png().toBuffer()));
  const gif = await sharp(pngs, { join: { animated: true } })
    .gif({ dither: 0 })
    .toBuffer();
  const moving = () => sharp(gif, { animated: true });
  const { bytes } = await encodeWebp(moving(), { quality: 75 });
  expect(bytes.length).toBeLessThan((await moving().webp({ quality: 75 }).toBuffer()).length / 2);
  const second = await sharp(bytes, { page: 1 }).removeAlpha().raw().toBuffer();
  expect(second.equals(Buffer.from((frames[1] as Raster<Uint8Array>).data))).toBe(true);
});

test("a photograph inside a drawing has the drawing's setting, and one that is a part of another the whole's", async () => {
  const photo = asDecodedPicture(
    draw({ width: 240, height: 160 }, 3, (x, y) => [x + 60 * random(), y + 60 * random(), 90 + 60 * random()]),
  );
  const sizeOf = async (whole: object) => (await encodeWebp(photo.open(), { quality: 60, ...whole })).bytes.length;
  const [soft, ofDrawing, detailed] = [
    await sizeOf({ detailOfWhole: 1.6 }),
    await sizeOf({ detailOfWhole: undefined }),
    await sizeOf({ detailOfWhole: 3.2 }),
  ];
  expect(await sizeOf({})).not.toBe(ofDrawing);
  expect(detailed).toBeLessThan(ofDrawing);
  expect(ofDrawing).toBeLessThan(soft);
});
