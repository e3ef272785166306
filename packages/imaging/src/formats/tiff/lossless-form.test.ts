import sharp from "sharp";
import { expect, test } from "vitest";
import { draw, randomNumbers } from "../../../../codecs/src/testing/drawn-pictures.ts";
import { encodeTiff } from "./write.ts";

const [width, height] = [192, 128];
const pictures = {
  // A clustered-dot halftone of a gradient: black and white alone.
  "a halftone": (x: number, y: number) => {
    const [u, v] = [(x % 6) - 2.5, (y % 6) - 2.5];
    return u * u + v * v < (x / width) * 12 ? 0 : 255;
  },
  "a smooth gradient": (x: number, y: number) => Math.round(60 + (120 * x) / width + (40 * y) / height),
  "a ramp of grey": (x: number) => Math.round((255 * x) / width),
  noise: (x: number, y: number) => (Math.imul(x * 7919 + y * 104729, 0x9e3779b1) >>> 24) & 255,
} as const;

test.each(Object.keys(pictures) as (keyof typeof pictures)[])(
  "%s as TIFF: a lower quality never takes more bytes",
  async (name) => {
    const data = Buffer.from(
      Array.from({ length: width * height }, (_, i) => pictures[name](i % width, Math.floor(i / width))),
    );
    const open = () => sharp(data, { raw: { width, height, channels: 1 } }).toColourspace("b-w");
    const bytesAt = async (quality: number) =>
      (await encodeTiff(open(), { quality, minimizeBytes: true })).bytes.length;
    let least = await bytesAt(100);
    for (const quality of [98, 90, 82, 75, 60, 50, 30, 10]) {
      const bytes = await bytesAt(quality);
      expect(bytes, `at ${quality}`).toBeLessThanOrEqual(least);
      least = bytes;
    }
  },
);

test("small pixel art as TIFF takes the smallest lossless form at every quality", async () => {
  const random = randomNumbers(3);
  const colours = [0xdc1e3c, 0x1e78dc, 0xfac828, 0x28a050, 0xffffff, 0x000000];
  const art = draw({ width: 40, height: 32 }, 4, () => {
    const colour = colours[Math.floor(random() * colours.length)] ?? 0;
    return [colour >> 16, (colour >> 8) & 255, colour & 255, colour === 0 ? 0 : 255];
  });
  const at = async (quality: number) =>
    (await encodeTiff(sharp(art.data, { raw: art }), { quality, minimizeBytes: true })).bytes;
  expect(Buffer.compare(await at(60), await at(100))).toBe(0);
});
