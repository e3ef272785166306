import { taskOptions } from "@tintype/contract/schemas";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import type { Encoded } from "../formats/encoder.ts";
import { fitBytes } from "../formats/fit-bytes.ts";
import { drawPhoto } from "../testing/drawn-pictures.ts";
import { runOperation } from "../testing/run-operation.ts";
import { compress } from "./compress.ts";
import { convert } from "./convert.ts";

const size = { width: 480, height: 360 };
const photo = () => {
  const { data, width, height, channels } = drawPhoto(size);
  return sharp(data, { raw: { width, height, channels } });
};
const png = () => photo().png().toBuffer();
const jpeg = () => photo().jpeg({ quality: 97, chromaSubsampling: "4:4:4" }).toBuffer();

describe("the search for a quality", () => {
  /** An encoder model: bytes rise with quality, in steps. */
  const encoder = (bytesAt: (quality: number) => number) => {
    const asked: number[] = [];
    const encode = async (quality: number): Promise<Encoded> => {
      asked.push(quality);
      return { bytes: new Uint8Array(Math.round(bytesAt(quality))), width: 1, height: 1, notes: [] };
    };
    return { asked, encode };
  };
  const range = { minQuality: 40, bestQuality: 100, maxEncodes: 8 };

  test.each([0.015, 0.03, 0.06])(
    "finds nearly all of the bytes with at most eight encodings, growing by %d",
    async (growth) => {
      for (const maxBytes of [12_000, 20_000, 60_000, 110_000]) {
        const { asked, encode } = encoder((quality) => 10_000 * Math.exp(growth * (Math.round(quality) - 40)));
        const { best } = await fitBytes({ ...range, maxBytes, encode });
        expect(asked.length).toBeLessThanOrEqual(8);
        const bytes = best?.bytes.length ?? 0;
        expect(bytes).toBeLessThanOrEqual(maxBytes);
        if (best && best.quality < 100) expect(bytes / maxBytes).toBeGreaterThan(0.94);
      }
    },
  );

  test.each([14_500, 16_000, 17_300])(
    "%i bytes are used where they rise slowly at first, as a GIF's do",
    async (maxBytes) => {
      const { encode } = encoder((quality) =>
        quality < 55 ? 14_000 + (quality - 10) * 74 : 17_330 * Math.exp(0.012 * (quality - 55)),
      );
      const { best } = await fitBytes({ ...range, minQuality: 10, maxBytes, encode });
      expect((best?.bytes.length ?? 0) / maxBytes).toBeGreaterThan(0.96);
    },
  );

  test("a picture that fits at the best quality is encoded no more often than it takes to get there", async () => {
    const { asked, encode } = encoder(() => 500);
    expect((await fitBytes({ ...range, maxBytes: 1000, encode })).best?.quality).toBe(100);
    expect(asked.length).toBeLessThanOrEqual(4);
  });

  test("a picture that does not fit at the lowest quality is refused after one encoding", async () => {
    const { asked, encode } = encoder((quality) => 1000 + quality);
    expect(await fitBytes({ ...range, maxBytes: 1000, encode })).toEqual({ best: undefined, smallestBytes: 1040 });
    expect(asked).toEqual([40]);
  });
});

const limited = (task: "compress" | "convert", fields: Record<string, string>, bytes: Uint8Array) =>
  runOperation(task === "compress" ? compress : convert, { bytes, options: taskOptions[task].parse(fields) });

/** GIF has few quality steps. PNG is judged by a sample, which represents so small a drawing poorly. */
const leastUse: Record<string, number> = { gif: 0.3, png: 0.6 };

test.each(["jpeg", "webp", "avif", "png", "tiff", "gif"])(
  "%s: the result fits, uses the bytes, and reads as a picture",
  async (format) => {
    const whole = await limited("convert", { target_format: format === "png" ? "tiff" : format }, await png());
    const most = Math.round(
      whole.result.length * (format === "gif" ? 0.8 : format === "png" || format === "tiff" ? 0.4 : 0.6),
    );
    const source = format === "png" ? await photo().tiff({ compression: "lzw" }).toBuffer() : await png();
    const fields = { target_format: format, max_bytes: String(most), min_quality: "1" };
    const { outcome, result } = await limited("convert", fields, source);
    expect(outcome).toMatchObject({ kind: "done", result: { format, ...size, sizeBytes: result.length } });
    expect(result.length).toBeLessThanOrEqual(most);
    expect(result.length / most).toBeGreaterThan(leastUse[format] ?? 0.85);
    expect(await sharp(result).metadata()).toMatchObject(size);
  },
);

test("compress needs no quality with max_bytes, and takes a given one as the best", async () => {
  const bytes = await jpeg();
  const free = await limited("compress", { max_bytes: "40000" }, bytes);
  expect(free.result.length).toBeLessThanOrEqual(40_000);
  const capped = await limited("compress", { max_bytes: "40000", quality: "50" }, bytes);
  expect(capped.result.length).toBeLessThan(free.result.length);
  const already = await limited("compress", { max_bytes: String(bytes.length) }, bytes);
  expect(already.result.length).toBeGreaterThan(bytes.length * 0.9);
});

test("an unreachable size is refused with the least that was reached, and may cost pixels if that is allowed", async () => {
  const bytes = await jpeg();
  const options = { max_bytes: "3000", min_quality: "60" };
  const refusal = limited("compress", options, bytes);
  await expect(refusal).rejects.toMatchObject({ code: "size-unreachable", smallestBytes: expect.any(Number) });
  const { smallestBytes } = (await refusal.catch((problem: unknown) => problem)) as { smallestBytes: number };
  expect(
    (await limited("compress", { ...options, max_bytes: String(smallestBytes) }, bytes)).result.length,
  ).toBeLessThanOrEqual(smallestBytes);
  const { outcome, result } = await limited("compress", { ...options, allow_resize: "true" }, bytes);
  expect(result.length).toBeLessThanOrEqual(3000);
  expect(result.length).toBeGreaterThan(2400);
  const { width = 0, height = 0 } = await sharp(result).metadata();
  expect(width).toBeLessThan(size.width);
  expect(Math.abs(width / height - 4 / 3)).toBeLessThan(0.03);
  expect(outcome).toMatchObject({
    result: { width, height },
    notes: expect.arrayContaining([expect.stringContaining("scaled down")]),
  });
});

test.each([
  ["jpeg", 700],
  ["jpeg", 1500],
  ["webp", 400],
  ["gif", 900],
  ["png", 1500],
] as const)("a %s fits into %i bytes where it may lose pixels", async (format, maxBytes) => {
  const bytes = await photo().toFormat(format).toBuffer();
  const { result } = await limited("compress", { max_bytes: String(maxBytes), allow_resize: "true" }, bytes);
  expect(result.length).toBeLessThanOrEqual(maxBytes);
  expect(result.length).toBeGreaterThan(maxBytes * 0.4);
});

test("BMP has one size: it fits or is refused", async () => {
  const exact = (await limited("convert", { target_format: "bmp" }, await png())).result.length;
  const within = (max: number) => limited("convert", { target_format: "bmp", max_bytes: String(max) }, bytes);
  const bytes = await png();
  expect((await within(exact)).result.length).toBe(exact);
  await expect(within(exact - 1)).rejects.toMatchObject({ code: "size-unreachable", smallestBytes: exact });
});
