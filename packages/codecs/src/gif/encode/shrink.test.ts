import fc from "fast-check";
import sharp from "sharp";
import { expect, test } from "vitest";
import { drawPhoto } from "../../testing/drawn-pictures.ts";
import { type GifFile, type GifFileFrame, gifFile } from "../../testing/gif-file.ts";
import { driftingPhoto, typedText } from "../../testing/moving-gifs.ts";
import { framesByLibvips, framesByOurPlayer, framesOf, joinAlike, type Shown } from "../../testing/shown-frames.ts";
import { readGif } from "../document.ts";
import { playGif } from "../play.ts";
import { shrinkGif } from "./shrink.ts";

const colour = fc.integer({ min: 0, max: 0xffffff });

type Place = Pick<GifFileFrame, "left" | "top" | "width" | "height">;

/** Frames of four indices that repeat, overlap and leave holes. */
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
    // libvips clears to black if the frame has no transparent index; browsers clear to transparent.
    .map((frame) => ({ ...place, ...(frame.disposal === 2 && { transparentIndex: 3 }), ...frame }));

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
      // The first frame covers the canvas: otherwise libvips renders the rest black if no frame has transparency.
      frames: fc
        .tuple(frameAt({ left: 0, top: 0, width, height }), fc.array(frameWithin(width, height), { maxLength: 6 }))
        .map(([first, others]) => [first, ...others]),
    }),
  );

test("at 100 every frame shows the same pixels for the same time, whatever the source's disposal, tables and order of rows", async () => {
  await fc.assert(
    fc.asyncProperty(anyGif, async (file) => {
      const bytes = gifFile(file);
      expect(framesByOurPlayer(bytes)).toEqual(framesOf(file));
      const shrunk = await shrinkGif(bytes, { quality: 100 });
      expect(joinAlike(await framesByLibvips(shrunk))).toEqual(joinAlike(framesOf(file)));
      expect(joinAlike(framesByOurPlayer(shrunk))).toEqual(joinAlike(framesOf(file)));
    }),
    { numRuns: 300 },
  );
});

// product: never-larger
test("no result is larger than the original, nor longer, shorter or of other places that show through, at any quality", async () => {
  await fc.assert(
    fc.asyncProperty(anyGif, fc.integer({ min: 1, max: 100 }), async (file, quality) => {
      const bytes = gifFile(file);
      const shrunk = await shrinkGif(bytes, { quality });
      expect(shrunk.length).toBeLessThanOrEqual(bytes.length);
      const [before, after] = [framesOf(file), await framesByLibvips(shrunk)];
      expect(lengthCs(after)).toBe(lengthCs(before));
      const moments = after.map((_, at) => lengthCs(after.slice(0, at)));
      for (const [at, startCs] of moments.entries())
        expect(after[at]?.pixels.map((pixel) => pixel === 0)).toEqual(
          shownAt(before, startCs).pixels.map((pixel) => pixel === 0),
        );
    }),
    { numRuns: 150 },
  );
});

test("a frame that is cleared has a transparent index, without which libvips would clear to black", async () => {
  const place = { left: 0, top: 0, width: 3, height: 2, delayCs: 2, colours: [1, 2, 3, 4] };
  const drawn = { ...place, indices: [0, 0, 0, 0, 0, 0] };
  const cleared = { ...place, disposal: 2, transparentIndex: 3, indices: [1, 1, 1, 2, 2, 1] };
  const file = { width: 3, height: 2, frames: [drawn, cleared, { ...place, width: 1, height: 1, indices: [0] }] };
  for (const quality of [1, 93, 100]) {
    const shrunk = await shrinkGif(gifFile(file), { quality });
    expect(
      readGif(shrunk).frames.filter(({ disposal }) => disposal === "clear"),
      `at ${quality}`,
    ).toMatchObject([{ transparentIndex: expect.toSatisfy((index: number) => index >= 0) }]);
  }
});

const lengthCs = (frames: { delayCs: number }[]) => frames.reduce((sum, { delayCs }) => sum + delayCs, 0);

function shownAt(frames: Shown[], momentCs: number): Shown {
  const frame = frames.find((_, at) => lengthCs(frames.slice(0, at + 1)) > momentCs);
  if (!frame) throw new Error(`nothing is shown at ${momentCs}`);
  return frame;
}

test("a lower quality gives away more, and saves more bytes", async () => {
  for (const bytes of [driftingPhoto(), typedText()]) {
    const points = [];
    for (const quality of [100, 95, 85, 70, 50, 25, 1]) {
      const shrunk = await shrinkGif(bytes, { quality });
      points.push({ bytes: shrunk.length, error: meanError(bytes, shrunk) });
    }
    expect(points[0]?.error).toBe(0);
    for (const [at, { bytes: size, error }] of points.slice(1).entries()) {
      // In a file of less than a kilobyte, colour tables are much of the size and do not shrink with quality.
      expect(size, JSON.stringify(points)).toBeLessThanOrEqual((points[at]?.bytes ?? 0) * 1.01 + 16);
      expect(error, JSON.stringify(points)).toBeGreaterThanOrEqual((points[at]?.error ?? 0) * 0.9);
    }
  }
});

test("at 75 a photograph that moves halves, and no tone in it drifts by more than a few steps", async () => {
  const bytes = driftingPhoto();
  const shrunk = await shrinkGif(bytes, { quality: 75 });
  expect(shrunk.length).toBeLessThan(bytes.length * 0.6);
  expect(meanError(bytes, shrunk)).toBeLessThan(8);
  const [before, after] = [framesByOurPlayer(bytes), framesByOurPlayer(shrunk)];
  for (const [at, frame] of before.entries())
    expect(Math.abs(meanRed(frame) - meanRed(after[at] as Shown))).toBeLessThan(1.5);
});

const channel = (pixel: number, shift: number) => (pixel >>> shift) & 255;
const meanRed = ({ pixels }: Shown) => pixels.reduce((sum, pixel) => sum + channel(pixel, 24), 0) / pixels.length;

/** The mean difference per channel sample, 0..255. Both must have the same number of frames. */
function meanError(first: Uint8Array, second: Uint8Array): number {
  const [before, after] = [framesByOurPlayer(first), framesByOurPlayer(second)];
  expect(after.length).toBe(before.length);
  let [sum, count] = [0, 0];
  for (const [at, { pixels }] of before.entries())
    for (const [place, pixel] of pixels.entries())
      for (const shift of [8, 16, 24]) {
        sum += Math.abs(channel(pixel, shift) - channel(after[at]?.pixels[place] ?? 0, shift));
        count++;
      }
  return sum / count;
}

test("frames of more colours in all than one table holds keep their own", async () => {
  const frames = Array.from({ length: 4 }, (_, frame) => manyColours(frame));
  const file = { width: 16, height: 12, frames };
  const exact = await shrinkGif(gifFile(file), { quality: 100 });
  expect(framesByOurPlayer(exact)).toEqual(framesOf(file));
  const near = await shrinkGif(gifFile(file), { quality: 90 });
  expect(meanError(gifFile(file), near)).toBeLessThan(6);
});

/** 192 colours of one hue, which differs from frame to frame. */
const manyColours = (frame: number): GifFileFrame => ({
  left: 0,
  top: 0,
  width: 16,
  height: 12,
  delayCs: 5,
  colours: Array.from({ length: 192 }, (_, at) => ((at + 40) << (8 * (frame % 3))) + (frame << 4)),
  indices: Array.from({ length: 192 }, (_, at) => at),
});

test("times of 0, the number of loops and a profile stay; comments and what programs say of themselves go", async () => {
  const pixel = { left: 0, top: 0, width: 1, height: 1 };
  const text = (value: string) => [...value].map((letter) => letter.charCodeAt(0));
  const profile = [0x21, 0xff, 11, ...text("ICCRGBG1012"), 3, 1, 2, 3, 0];
  const bytes = gifFile({
    width: 1,
    height: 1,
    globalColours: [0xff0000, 0x00ff00],
    loopCount: 7,
    extensions: [
      [0x21, 0xfe, 6, ...text("secret"), 0],
      profile,
      [0x21, 0xff, 11, ...text("XMP DataXMP"), 4, ...text("here"), 0],
    ],
    frames: [0, 1, 0, 0].map((index) => ({ ...pixel, delayCs: 0, indices: [index] })),
  });
  for (const quality of [75, 100]) {
    const gif = readGif(await shrinkGif(bytes, { quality }));
    expect(gif).toMatchObject({ loopCount: 7, profile: Uint8Array.from(profile) });
    expect(gif.frames.map(({ delayCs }) => delayCs)).toEqual([0, 0, 0, 0]);
    expect([...playGif(gif)].length).toBe(4);
    const letters = String.fromCharCode(...gif.bytes);
    for (const gone of ["secret", "XMP", "here"]) expect(letters).not.toContain(gone);
  }
});

test("a picture too large to be packed again loses what is no picture, and nothing else", async () => {
  const [width, height] = [5000, 4000];
  const comment = [0x21, 0xfe, 2, 65, 66, 0];
  const frame = { left: 9, top: 9, width: 2, height: 2, indices: [0, 1, 1, 0] };
  const file = { width, height, globalColours: [0xff0000, 0x00ff00], frames: [frame] };
  const shrunk = await shrinkGif(gifFile({ ...file, extensions: [comment] }), { quality: 50 });
  expect(shrunk.length).toBeLessThanOrEqual(gifFile(file).length);
  expect(readGif(shrunk)).toMatchObject({ width, height, frames: [{ rectangle: { left: 9, top: 9, width: 2 } }] });
});

test("cancelling ends it between two frames, and it tells how far it is", async () => {
  const bytes = driftingPhoto();
  const aborting = new AbortController();
  const reported: number[] = [];
  const progress = (fraction: number) => {
    reported.push(fraction);
    if (reported.length === 7) aborting.abort(new Error("enough"));
  };
  await expect(shrinkGif(bytes, { quality: 75, signal: aborting.signal, progress })).rejects.toThrow("enough");
  expect(reported).toHaveLength(7);
  expect(reported).toEqual(reported.toSorted((a, b) => a - b));
  expect(Math.max(...reported)).toBeLessThan(1);
});

test("the table of a still picture has no more colours than its pixels need", async () => {
  const { data, ...size } = drawPhoto({ width: 40, height: 40 });
  const bytes = await sharp(data, { raw: size }).gif().toBuffer();
  const shrunk = await shrinkGif(bytes, { quality: 60 });
  const tableColours = 2 << ((shrunk[10] ?? 0) & 7);
  const { data: shown } = await sharp(shrunk).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const used = new Set(Array.from({ length: 1600 }, (_, i) => shown.subarray(i * 3, i * 3 + 3).toString("hex")));
  expect(tableColours).toBeLessThanOrEqual(2 * used.size);
  expect(shrunk.length).toBeLessThan(500);
});

test("at 100 no GIF is smaller than at 75", async () => {
  // Few frames of many distant colours in the same order: exact packing finds long strings.
  const globalColours = Array.from({ length: 64 }, (_, at) => (at * 2_654_435_761) % 0x1000000);
  const frames = Array.from({ length: 12 }, (_, frame) => ({
    left: 0,
    top: 0,
    width: 64,
    height: 48,
    delayCs: 8,
    indices: Array.from({ length: 64 * 48 }, (_, at) => ((at >> 3) + (frame > 5 ? 1 : 0)) % 64),
  }));
  for (const bytes of [gifFile({ width: 64, height: 48, globalColours, frames }), driftingPhoto(), typedText()]) {
    const [near, exact] = [await shrinkGif(bytes, { quality: 75 }), await shrinkGif(bytes, { quality: 100 })];
    expect(near.length).toBeLessThanOrEqual(exact.length);
    for (const quality of [75, 100]) {
      const once = await shrinkGif(bytes, { quality, minGain: 0.1 });
      expect(Buffer.from(await shrinkGif(once, { quality, minGain: 0.1 })).equals(once), `${quality}`).toBe(true);
    }
  }
});
