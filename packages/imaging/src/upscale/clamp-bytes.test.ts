import fc from "fast-check";
import { expect, test } from "vitest";
import { boundsOf } from "./bounds.ts";
import { clampBytes } from "./clamp-bytes.ts";
import { clampToBounds } from "./clamp-to-source.ts";

const cases = fc
  .record({
    width: fc.integer({ min: 1, max: 60 }),
    height: fc.integer({ min: 1, max: 12 }),
    channels: fc.constantFrom(1, 3),
    scale: fc.constantFrom(2, 4),
    slack: fc.constantFrom(0, 1),
    share: fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
    seed: fc.integer({ min: 1 }),
  })
  .map(({ share: [from, part], ...rest }) => {
    const inside = (length: number) => {
      const start = Math.floor(from * (length - 1));
      return { start, length: Math.max(1, Math.floor(part * (length - start))) };
    };
    const [across, down] = [inside(rest.width), inside(rest.height)];
    return {
      ...rest,
      region: { left: across.start, top: down.start, width: across.length, height: down.length },
    };
  });

test("bytes are clamped exactly as samples of any kind are, wherever the region lies", () => {
  fc.assert(
    fc.property(cases, ({ width, height, channels, scale, slack, region, seed }) => {
      const noise = (length: number, from: number) =>
        Uint8Array.from({ length }, (_, i) => ((i + from) * 2_654_435_761 * seed) >>> 24);
      const source = { data: noise(width * height * channels, 1), width, height, channels };
      const size = { width: width * scale, height: height * scale, channels };
      const data = noise(source.data.length * scale * scale, 7);
      const [clamped, expected] = [
        { data: data.slice(), ...size },
        { data: data.slice(), ...size },
      ];
      clampBytes(clamped, { source, region, scale, slack });
      clampToBounds(expected, { bounds: boundsOf(source, { region, slack }), scale });
      expect(Buffer.compare(clamped.data, expected.data)).toBe(0);
      const isTouched = expected.data.some((value, i) => value !== data[i]);
      if (slack === 0 && region.width * region.height > 20) expect(isTouched).toBe(true);
    }),
    { numRuns: 200 },
  );
});
