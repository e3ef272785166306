import fc from "fast-check";
import { expect, test } from "vitest";
import { type GifFile, type GifFileFrame, gifFile } from "../testing/gif-file.ts";
import { framesByLibvips, framesOf, joinAlike } from "../testing/shown-frames.ts";
import { shrinkGif } from "./shrink.ts";

const colour = fc.integer({ min: 0, max: 0xffffff });

type Place = Pick<GifFileFrame, "left" | "top" | "width" | "height">;

/** Frames of four indices, so that they repeat, overlap and leave holes. */
const frameAt = (place: Place): fc.Arbitrary<GifFileFrame> =>
  fc
    .record(
      {
        colours: fc.array(colour, { minLength: 4, maxLength: 4 }),
        transparentIndex: fc.nat(3),
        disposal: fc.nat(3),
        delayCs: fc.integer({ min: 2, max: 30 }),
        isInterlaced: fc.boolean(),
        indices: fc.array(fc.nat(3), { minLength: place.width * place.height, maxLength: place.width * place.height }),
      },
      { requiredKeys: ["indices", "delayCs"] },
    )
    .map((frame) => ({ ...place, ...frame }));

const frameWithin = (width: number, height: number): fc.Arbitrary<GifFileFrame> =>
  fc
    .record({ left: fc.nat(width - 1), top: fc.nat(height - 1) })
    .chain(({ left, top }) =>
      fc
        .record({ width: fc.integer({ min: 1, max: width - left }), height: fc.integer({ min: 1, max: height - top }) })
        .chain((size) => frameAt({ left, top, ...size })),
    );

const anyGif: fc.Arbitrary<GifFile> = fc
  .record({ width: fc.integer({ min: 1, max: 12 }), height: fc.integer({ min: 1, max: 12 }) })
  .chain(({ width, height }) =>
    fc.record({
      width: fc.constant(width),
      height: fc.constant(height),
      globalColours: fc.array(colour, { minLength: 4, maxLength: 4 }),
      // The first frame covers the canvas: where one does not, libvips shows black if no frame has transparency.
      frames: fc
        .tuple(frameAt({ left: 0, top: 0, width, height }), fc.array(frameWithin(width, height), { maxLength: 6 }))
        .map(([first, others]) => [first, ...others]),
    }),
  );

test("at 100 every frame shows the same pixels for the same time, whatever the source's disposal, tables and order of rows", async () => {
  await fc.assert(
    fc.asyncProperty(anyGif, async (file) => {
      const shrunk = await shrinkGif(gifFile(file), { quality: 100 });
      expect(joinAlike(await framesByLibvips(shrunk))).toEqual(joinAlike(framesOf(file)));
    }),
    { numRuns: 300 },
  );
});
