import fc from "fast-check";
import { expect, test } from "vitest";
import type { Raster } from "../raster/raster.ts";
import { decodeBmp } from "./decode.ts";
import { encodeBmpSamples } from "./encode.ts";
import { readBmpHeader } from "./header.ts";

/** Every pixel as RGBA, for any number of channels. */
const rgba = ({ channels, data }: Raster<Uint8Array>) =>
  Array.from({ length: data.length / channels }, (_, i) => {
    const at = (channel: number) => data[i * channels + channel] ?? 0;
    if (channels === 1) return [at(0), at(0), at(0), 255];
    return [at(0), at(1), at(2), channels === 4 ? at(3) : 255];
  });

/** Pictures of few colours in runs, or of many without runs; sizes with every row padding. */
const picture = fc
  .record({
    width: fc.integer({ min: 1, max: 70 }),
    height: fc.integer({ min: 1, max: 6 }),
    channels: fc.constantFrom(1 as const, 3 as const, 4 as const),
    colours: fc.constantFrom(1, 2, 3, 16, 17, 255, 256, 100_000),
    run: fc.integer({ min: 1, max: 300 }),
    isOpaque: fc.boolean(),
  })
  .chain(({ width, height, channels, colours, run, isOpaque }) =>
    fc.infiniteStream(fc.nat(colours - 1)).map((stream): Raster<Uint8Array> => {
      const data = new Uint8Array(width * height * channels);
      let colour = 0;
      for (let i = 0; i < width * height; i++) {
        if (i % run === 0) colour = (stream.next().value ?? 0) * 2_654_435;
        for (let c = 0; c < channels; c++)
          data[i * channels + c] = c === 3 && isOpaque ? 255 : (colour >> (c * 8)) & 255;
        if (channels === 4 && i === 0) data[3] = 255; // an all-zero alpha channel counts as unset
      }
      return { width, height, channels, data };
    }),
  );

test("a written file is read back as it was, run-length coded or not", () => {
  fc.assert(
    fc.property(picture, fc.boolean(), (pixels, runLength) => {
      const back = decodeBmp(encodeBmpSamples(pixels, { runLength }));
      expect([back.width, back.height]).toEqual([pixels.width, pixels.height]);
      expect(rgba(back)).toEqual(rgba(pixels));
    }),
    { numRuns: 300 },
  );
});

const flat = (colours: number, size = 64): Raster<Uint8Array> => ({
  width: size,
  height: size,
  channels: 3,
  data: Uint8Array.from({ length: size * size * 3 }, (_, i) => ((Math.floor(i / 3) % colours) * 37) & 255),
});

test.each([
  [2, 1],
  [16, 4],
  [200, 8],
])("%i colours are written with %i bits", (colours, bits) => {
  expect(readBmpHeader(encodeBmpSamples(flat(colours)))).toMatchObject({ bitsPerPixel: bits, packing: "none" });
});

test("a picture too small for its palette is written with 24 bits", () => {
  expect(readBmpHeader(encodeBmpSamples(flat(200, 4))).bitsPerPixel).toBe(24);
});

// product: bmp-run-length
test("run-length codes come only where they are asked for and smaller", () => {
  const stripes: Raster<Uint8Array> = {
    ...flat(2),
    data: flat(2).data.map((_, i) => (i < 64 * 64 ? 0 : (i / 1500) & 255)),
  };
  const noise: Raster<Uint8Array> = {
    ...flat(2),
    data: flat(2).data.map((_, i) => (Math.imul(Math.floor(i / 3), 0x9e3779b1) >>> 24) & 0xfc),
  };
  expect(readBmpHeader(encodeBmpSamples(stripes)).packing).toBe("none");
  expect(readBmpHeader(encodeBmpSamples(stripes, { runLength: true })).packing).toMatch(/^rle/);
  expect(encodeBmpSamples(stripes, { runLength: true }).length).toBeLessThan(encodeBmpSamples(stripes).length / 2);
  expect(readBmpHeader(encodeBmpSamples(noise, { runLength: true })).packing).toBe("none");
});

test("alpha is written in 32 bits, and left out where every pixel is opaque", () => {
  const data = Uint8Array.from({ length: 400 * 4 }, (_, i) => (i % 4 === 3 ? 255 : Math.imul(i, 2_654_435) >> 7));
  const pixels: Raster<Uint8Array> = { width: 20, height: 20, channels: 4, data };
  expect(readBmpHeader(encodeBmpSamples(pixels))).toMatchObject({ bitsPerPixel: 24, masks: undefined });
  data[7] = 100;
  expect(readBmpHeader(encodeBmpSamples(pixels))).toMatchObject({ bitsPerPixel: 32, masks: { alpha: 0xff000000 } });
});
