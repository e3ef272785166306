import sharp from "sharp";
import { expect, test } from "vitest";
import { drawPhoto } from "../../../codecs/src/testing/drawn-pictures.ts";
import { casesOfRun } from "../testing/deep.ts";
import { runOperation } from "../testing/run-operation.ts";
import { markAsTest } from "./test-mark.ts";

const photo = (width: number, height: number) => {
  const { data, channels } = drawPhoto({ width, height });
  return sharp(data, { raw: { width, height, channels } });
};

test.each([
  ["png", 900, 600, [512, 341]],
  ["jpeg", 300, 700, [219, 512]],
  ["webp", 40, 30, [40, 30]],
  ["avif", 600, 600, [512, 512]],
  ["gif", 64, 64, [64, 64]],
] as const)(
  "a %s of %i x %i stays one, is small, and is marked in each of its quarters",
  async (format, width, height, [w, h]) => {
    const bytes = await photo(width, height).toFormat(format).toBuffer();
    const { outcome, result } = await runOperation(markAsTest, { bytes });
    expect(outcome).toMatchObject({ kind: "done", result: { format, width: w, height: h } });
    const grey = async (image: Buffer) => sharp(image).resize(w, h, { fit: "fill" }).greyscale().raw().toBuffer();
    const [plain, marked] = [await grey(bytes), await grey(result)];
    for (const [left, top] of [
      [0, 0],
      [w >> 1, 0],
      [0, h >> 1],
      [w >> 1, h >> 1],
    ] as const) {
      let changed = 0;
      for (let y = top; y < top + (h >> 1); y++)
        for (let x = left; x < left + (w >> 1); x++)
          changed += Number(Math.abs((plain[y * w + x] ?? 0) - (marked[y * w + x] ?? 0)) > 12);
      expect(changed / ((w >> 1) * (h >> 1))).toBeGreaterThan(0.08);
    }
  },
);

test("an SVG becomes a picture, and nothing of its drawing is kept", async () => {
  const bytes = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="1000"><rect width="9" height="9"/></svg>',
  );
  const { outcome } = await runOperation(markAsTest, { bytes });
  expect(outcome).toMatchObject({ result: { format: "png", width: 512, height: 256 } });
});

const limits = [
  ["png", 20_000],
  ["jpeg", 20_000],
  ["jpeg", 1000],
  ["webp", 3000],
  ["gif", 20_000],
] as const;

test.each(casesOfRun<(typeof limits)[number]>(limits))(
  "a marked %s keeps to max_bytes of %i",
  async (format, maxBytes) => {
    const bytes = await photo(900, 600).toFormat(format).toBuffer();
    const { outcome, result } = await runOperation(markAsTest, { bytes, options: { max_bytes: maxBytes } });
    expect(result.length).toBeLessThanOrEqual(maxBytes);
    const { width, height } = await sharp(result).metadata();
    expect(outcome).toMatchObject({ result: { format, width, height, sizeBytes: result.length } });
  },
);
