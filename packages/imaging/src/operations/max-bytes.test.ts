import { taskOptions } from "@tintype/contract/schemas";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { drawPhoto } from "../../../codecs/src/testing/drawn-pictures.ts";
import type { Encoded } from "../formats/encoder.ts";
import { fitBytes } from "../formats/fit-bytes.ts";
import { qualityLadder } from "../formats/quality-ladder.ts";
import { formatModules } from "../formats/registry.ts";
import { encodeWithin } from "../formats/write-within.ts";
import { decodePicture } from "../raster/decoded-picture.ts";
import { casesOfRun } from "../testing/deep.ts";
import { runOperation } from "../testing/run-operation.ts";
import { compress } from "./compress.ts";
import { convert } from "./convert.ts";

const size = { width: 320, height: 240 };
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
  const maxEncodes = 5;
  const qualitiesFrom = (minQuality: number, bestQuality = 100) =>
    qualityLadder({ format: "jpeg", picture: undefined }, { minQuality, bestQuality }).qualities;
  /** Bytes of a photograph of 384 x 256 px as AVIF, from quality 40 in steps of 5; lossless at 100. */
  const avifBytes = [4164, 4988, 5248, 5608, 5977, 6736, 7469, 8247, 9665, 12_222, 14_701, 19_989, 125_745];
  const models: [string, (quality: number) => number][] = [
    ["even growth", (quality) => 10_000 * Math.exp(0.02 * (quality - 40))],
    [
      "growth as of a GIF",
      (quality) => (quality < 80 ? 14_000 + (quality - 40) * 160 : 20_400 * Math.exp(0.03 * (quality - 80))),
    ],
    [
      "growth as of AVIF",
      (quality) => {
        const [below = 0, above = 0] = avifBytes.slice(Math.floor((quality - 40) / 5));
        return quality === 100
          ? 125_745
          : quality > 95
            ? 19_989 + (quality - 95) * 2500
            : below + ((above - below) * (quality % 5)) / 5;
      },
    ],
  ];

  test.each(models)("%s: with five encodings nothing better fits, and more room is never worse", async (_, bytesAt) => {
    const qualities = qualitiesFrom(40);
    let worst = 0;
    for (let maxBytes = 10_000; maxBytes < 500_000; maxBytes *= 1.02) {
      const { asked, encode } = encoder(bytesAt);
      const { best } = await fitBytes({ qualities, maxBytes, maxEncodes, encode });
      expect(asked.length).toBeLessThanOrEqual(maxEncodes);
      if (!best) {
        expect(bytesAt(40)).toBeGreaterThan(maxBytes);
        continue;
      }
      expect(best.bytes.length).toBeLessThanOrEqual(maxBytes);
      expect(best.quality).toBeGreaterThanOrEqual(worst);
      worst = best.quality;
      const next = qualities[qualities.indexOf(best.quality) + 1];
      if (next !== undefined && best.bytes.length < 0.93 * maxBytes) expect(bytesAt(next)).toBeGreaterThan(maxBytes);
    }
    expect(worst).toBeGreaterThan(98);
  });

  test("a picture that fits at the best quality is encoded no more often than it takes to get there", async () => {
    const { asked, encode } = encoder(() => 500);
    expect((await fitBytes({ qualities: qualitiesFrom(40), maxBytes: 1000, maxEncodes, encode })).best?.quality).toBe(
      100,
    );
    expect(asked.length).toBeLessThanOrEqual(4);
  });

  test("a picture that does not fit at the lowest quality is refused after one encoding", async () => {
    const { asked, encode } = encoder((quality) => 1000 + quality);
    expect(await fitBytes({ qualities: qualitiesFrom(40), maxBytes: 1000, maxEncodes, encode })).toEqual({
      best: undefined,
      smallestBytes: 1040,
    });
    expect(asked).toEqual([40]);
  });
});

describe.each(["jpeg", "webp", "avif", "tiff", "gif"] as const)("%s within bytes", (format) => {
  const small = { width: 240, height: 180 };
  const { data, ...shape } = drawPhoto(small);
  const open = () => sharp(data, { raw: shape });
  const signal = new AbortController().signal;
  const range = { minQuality: 20, bestQuality: 95 };
  const bytesAt = async (quality: number) => {
    const decoded = await decodePicture(open());
    const { bytes } = await formatModules[format].encode(open(), {
      quality,
      minimizeBytes: true,
      hasHalvedColour: false,
      decoded,
    });
    return bytes.length;
  };

  test("the result is within 5 % of the room or the next quality does not fit, and more room is never worse", async () => {
    const [least, most] = [await bytesAt(range.minQuality), await bytesAt(range.bestQuality)];
    const decoded = await decodePicture(open());
    const { qualities } = qualityLadder({ format, picture: decoded }, range);
    let [quality, used] = [0, 0];
    for (const share of [...casesOfRun([0, 0.1, 0.25, 0.4, 0.55, 0.7, 0.85, 0.95]), 1.2]) {
      const maxBytes = Math.ceil(least * (most / least) ** share);
      const wanted = {
        ...range,
        format,
        maxBytes,
        allowResize: false,
        isAnimated: false,
        hasHalvedColour: false,
        signal,
      };
      const fitted = await encodeWithin(open(), { ...wanted, shrink: undefined });
      const bytes = fitted.bytes.length;
      expect(bytes).toBeLessThanOrEqual(maxBytes);
      // A GIF's bytes go up and down by a percent from one quality to the next.
      expect(bytes, `${maxBytes} bytes`).toBeGreaterThanOrEqual(used * 0.98);
      [quality, used] = [fitted.quality, bytes];
      const next = qualities[qualities.indexOf(quality) + 1];
      if (next !== undefined && bytes < maxBytes * 0.95)
        expect(await bytesAt(next), `${next} after ${quality}, ${maxBytes} bytes`).toBeGreaterThan(maxBytes * 0.98);
    }
    expect(quality).toBe(range.bestQuality);
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
    const fields = { target_format: format, max_bytes: String(most), min_quality: "1", quality: "100" };
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

test.each(["jpeg", "webp", "avif", "tiff", "png"])(
  "%s: a size alone gives at most quality 90, and a quality beside it is the ceiling",
  async (target_format) => {
    const bytes = target_format === "png" ? await photo().tiff().toBuffer() : await png();
    const within = async (fields: Record<string, string>) =>
      (await limited("convert", { target_format, ...fields }, bytes)).result.length;
    const room = { max_bytes: "10000000" };
    // PNG and TIFF are lossless without a request for fewer bytes: compare with the same request.
    expect(await within(room)).toBe(await within({ quality: "90" }));
    expect(await within({ ...room, quality: "60" })).toBe(await within({ quality: "60" }));
  },
);

test("a size with a higher lowest quality reaches for it", async () => {
  const within = async (fields: Record<string, string>) =>
    (await limited("convert", { target_format: "jpeg", ...fields }, await png())).result.length;
  expect(await within({ max_bytes: "10000000", min_quality: "95" })).toBe(await within({ quality: "95" }));
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
    notes: expect.arrayContaining([expect.objectContaining({ code: "scaled-down-to-fit" })]),
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
