import sharp from "sharp";
import { expect, test } from "vitest";
import { type GifFile, gifFile } from "../../../../codecs/src/testing/gif-file.ts";
import { compress } from "../../operations/compress.ts";
import { convert } from "../../operations/convert.ts";
import { resize } from "../../operations/resize.ts";
import { upload } from "../../operations/upload.ts";
import { runOperation } from "../../testing/run-operation.ts";

const colours = [0xff0000, 0x00ff00, 0x0000ff, 0xffffff];
const full = (width: number, height: number, index: number) => Array<number>(width * height).fill(index);
const frame = (left: number, top: number, width: number, height: number, index: number) => ({
  left,
  top,
  width,
  height,
  delayCs: 10,
  indices: full(width, height, index),
});
const files: Record<string, GifFile> = {
  "a frame beyond the screen": {
    width: 8,
    height: 8,
    globalColours: colours,
    loopCount: 2,
    frames: [frame(0, 0, 8, 8, 0), frame(4, 4, 12, 12, 1), frame(0, 0, 2, 2, 2)],
  },
  "a first frame beyond the screen": {
    width: 8,
    height: 8,
    globalColours: colours,
    loopCount: 0,
    frames: [frame(0, 0, 12, 10, 0), frame(4, 4, 4, 4, 1)],
  },
  "a screen that no frame fills": {
    width: 16,
    height: 16,
    globalColours: colours,
    loopCount: 0,
    frames: [frame(2, 2, 4, 4, 0), frame(4, 4, 4, 4, 1)],
  },
  "a first frame that does not fill the screen, as a later one does": {
    width: 8,
    height: 8,
    globalColours: colours,
    loopCount: 0,
    frames: [frame(2, 2, 3, 3, 0), frame(4, 4, 4, 4, 1), frame(0, 0, 2, 2, 2)],
  },
  "a frame without transparency that is cleared": {
    width: 8,
    height: 8,
    globalColours: colours,
    frames: [
      { ...frame(0, 0, 8, 8, 0), disposal: 2 },
      frame(2, 2, 2, 2, 1),
      { ...frame(4, 4, 4, 4, 2), disposal: 3 },
      frame(0, 0, 1, 1, 3),
    ],
  },
};

/** What browsers show: the logical screen contains the first frame, and clearing restores to transparent. */
function shownBy({ width, height, frames }: GifFile) {
  const [first] = frames;
  const canvas = {
    width: Math.max(width, (first?.left ?? 0) + (first?.width ?? 0)),
    height: Math.max(height, (first?.top ?? 0) + (first?.height ?? 0)),
  };
  let pixels = Array<number>(canvas.width * canvas.height).fill(0);
  const shown = frames.map(({ left, top, disposal = 0, ...part }) => {
    const before = pixels.slice();
    const inside = (at: number) => {
      const [x, y] = [(at % canvas.width) - left, Math.floor(at / canvas.width) - top];
      return x >= 0 && y >= 0 && x < part.width && y < part.height;
    };
    const drawn = pixels.map((old, at) => (inside(at) ? (colours[part.indices[0] ?? 0] ?? 0) * 256 + 255 : old));
    pixels = disposal === 2 ? drawn.map((old, at) => (inside(at) ? 0 : old)) : disposal === 3 ? before : drawn;
    return drawn;
  });
  return { ...canvas, shown };
}

async function framesOf(bytes: Uint8Array) {
  const image = sharp(bytes, { animated: true });
  const { pages = 1, width, pageHeight = 0, loop, delay } = await image.metadata();
  const data = await image.ensureAlpha().raw().toBuffer();
  const size = width * pageHeight;
  const shown = Array.from({ length: pages }, (_, page) =>
    Array.from({ length: size }, (_, at) => {
      const place = (page * size + at) * 4;
      return data[place + 3] === 0 ? 0 : data.readUInt32BE(place);
    }),
  );
  return { width, height: pageHeight, shown, loop, delay };
}

test.each(Object.entries(files))("%s is shown as in browsers by WebP, resize and compress", async (_, file) => {
  const bytes = gifFile(file);
  const { shown, ...size } = shownBy(file);
  const webp = await runOperation(convert, { bytes, options: { target_format: "webp", quality: 100 } });
  const moved = await framesOf(webp.result);
  expect(moved).toMatchObject(size);
  expect(moved.shown).toEqual(shown);
  expect(moved.delay).toEqual(shown.map(() => 100));
  expect(moved.loop).toBe(file.loopCount === undefined ? 1 : file.loopCount === 0 ? 0 : file.loopCount + 1);
  const resized = await runOperation(resize, { bytes, options: { percent: 100, method: "fit" } });
  expect((await framesOf(resized.result)).shown).toEqual(shown);
  for (const quality of [75, 100]) {
    const { outcome, result } = await runOperation(compress, { bytes, options: { quality } });
    expect(outcome).toMatchObject({ result: size });
    if (quality === 100) {
      const again = await runOperation(convert, { bytes: result, options: { target_format: "webp", quality: 100 } });
      expect((await framesOf(again.result)).shown).toEqual(shown);
    }
  }
});

test("a GIF that is cut off is refused by every operation; one that lacks only its trailer is read", async () => {
  const file = { width: 8, height: 8, globalColours: colours, frames: [0, 1, 2, 3].map((i) => frame(0, 0, 8, 8, i)) };
  const whole = gifFile(file);
  const cut = whole.subarray(0, Math.floor(whole.length * 0.6));
  const doors = [
    { operation: compress, options: { quality: 75 } },
    { operation: resize, options: { percent: 50, method: "fit" } },
    { operation: convert, options: { target_format: "png" } },
    { operation: upload, options: {} },
  ];
  for (const { operation, options } of doors) {
    await expect(runOperation(operation, { bytes: cut, options })).rejects.toMatchObject({
      code: "broken-image",
      detail: "The GIF is damaged: it is cut off.",
    });
    await runOperation(operation, { bytes: gifFile({ ...file, hasTrailer: false }), options });
  }
});
