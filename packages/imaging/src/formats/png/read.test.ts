import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formats, outputFormats, type TaskOptions } from "@tintype/contract";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { draw } from "../../../../codecs/src/testing/drawn-pictures.ts";
import { compress } from "../../operations/compress.ts";
import { convert } from "../../operations/convert.ts";
import { resize } from "../../operations/resize.ts";
import { casesOfRun } from "../../testing/deep.ts";
import { runOperation } from "../../testing/run-operation.ts";
import { openSource } from "../open-source.ts";
import { pngChunk, pngChunks } from "./container.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "png-"));
});
afterAll(() => rm(folder, { recursive: true }));

const numbers = (...values: number[]) => {
  const data = Buffer.alloc(values.length * 4);
  for (const [i, value] of values.entries()) data.writeUInt32BE(value, i * 4);
  return data;
};
const chunks = {
  gamma10: [pngChunk("gAMA", numbers(100_000))],
  gamma18: [pngChunk("gAMA", numbers(55_556))],
  wide: [pngChunk("cHRM", numbers(31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6000))],
  p3: [pngChunk("cICP", Buffer.of(12, 13, 0, 1))],
  pq: [pngChunk("cICP", Buffer.of(9, 16, 0, 1))],
  narrow: [pngChunk("cICP", Buffer.of(1, 13, 0, 0))],
  plain: [pngChunk("gAMA", numbers(45_455))],
  srgbFirst: [pngChunk("sRGB", Buffer.of(0)), pngChunk("gAMA", numbers(100_000))],
  nonsense: [pngChunk("gAMA", numbers(0)), pngChunk("cHRM", numbers(0, 0, 0, 0, 0, 0, 0, 0))],
} as const;

const size = { width: 48, height: 32 };
/** Flat areas: coding artefacts at their edges do not reach their centres. */
const picture = draw(size, 3, (x, y) => [64 + 48 * Math.floor(x / 16), 96 + 64 * Math.floor(y / 16), 160]);
type Kind = "rgb" | "grey" | "palette" | "16 bits" | "alpha";
async function png(extra: readonly Uint8Array[], kind: Kind = "rgb") {
  const image = sharp(picture.data, { raw: { ...size, channels: 3 } });
  const drawn = {
    rgb: () => image.png(),
    grey: () => image.toColourspace("b-w").png(),
    palette: () => image.png({ palette: true, dither: 0 }),
    "16 bits": () => image.toColourspace("rgb16").png(),
    alpha: () => image.ensureAlpha(0.5).png(),
  }[kind]();
  const bytes = await drawn.toBuffer();
  return Buffer.concat([bytes.subarray(0, 33), ...extra, bytes.subarray(33)]);
}

/** The rendered colours: three numbers for the centre of each area. */
async function seen(bytes: Uint8Array): Promise<number[]> {
  const path = join(folder, "seen");
  await writeFile(path, bytes);
  const source = await openSource(path, { megapixelsIn: 1, megapixelsOut: 1 });
  const data = await source
    .read({ colour: "srgb" })
    .flatten({ background: "#fff" })
    .toColourspace("srgb")
    .raw()
    .toBuffer();
  const channels = data.length / (source.width * source.height);
  return [8, 24].flatMap((y) =>
    [8, 24, 40].flatMap((x) => {
      const at = (Math.round((y * source.height) / 32) * source.width + Math.round((x * source.width) / 48)) * channels;
      return [0, 1, 2].map((channel) => data[at + (channels < 3 ? 0 : channel)] ?? -1);
    }),
  );
}
const gap = (a: number[], b: number[]) => Math.max(...a.map((value, i) => Math.abs(value - (b[i] ?? Number.NaN))));

test.each([
  ["gamma10", 64, 137],
  ["gamma18", 64, 79],
] as const)("%s is shown by its own curve: %i becomes %i", async (name, value, shown) => {
  expect(Math.abs(((await seen(await png(chunks[name])))[0] ?? 0) - shown)).toBeLessThanOrEqual(2);
  expect((await seen(await png(chunks.plain)))[0]).toBe(value);
});

test.each(["plain", "srgbFirst", "nonsense"] as const)("%s is sRGB", async (name) => {
  expect(await seen(await png(chunks[name]))).toEqual(await seen(await png([])));
});

test("cICP comes before a profile, wide primaries are brighter, and a narrow range is stretched", async () => {
  const plain = await seen(await png([]));
  const p3 = await seen(await png(chunks.p3));
  expect(gap(p3, plain)).toBeGreaterThan(4);
  expect(gap(await seen(await png(chunks.wide)), p3)).toBeLessThanOrEqual(2);
  const withProfile = await sharp(await png([]))
    .withIccProfile("p3")
    .png()
    .toBuffer();
  const contradicting = Buffer.concat([
    withProfile.subarray(0, 33),
    pngChunk("cICP", Buffer.of(1, 13, 0, 1)),
    withProfile.subarray(33),
  ]);
  const own = await sharp(withProfile).raw().toBuffer();
  expect((await seen(contradicting))[0]).not.toBe((await seen(withProfile))[0]);
  expect(own.length).toBeGreaterThan(0);
  const narrow = await seen(await png(chunks.narrow));
  expect(Math.abs((narrow[0] ?? 0) - ((64 - 16) * 255) / 219)).toBeLessThanOrEqual(1);
});

const kinds = ["rgb", "grey", "palette", "16 bits", "alpha"] as const;
const described = ["gamma10", "gamma18", "wide", "pq"] as const;

test.each(casesOfRun(kinds.flatMap((kind) => described.map((name) => [kind, name] as const))))(
  "a %s PNG with %s looks the same out of compress, resize and convert",
  async (kind, name) => {
    const bytes = await png(chunks[name], kind);
    const before = await seen(bytes);
    for (const quality of [60, 100]) {
      const { result } = await runOperation(compress, { bytes, options: { quality } });
      expect(gap(await seen(result), before)).toBeLessThanOrEqual(quality === 100 ? 1 : 14);
    }
    const resized = await runOperation(resize, { bytes, options: { width: 96, method: "fit" } });
    expect(gap(await seen(resized.result), before)).toBeLessThanOrEqual(2);
    // GIF has no partial transparency.
    for (const target of outputFormats.filter((to) => to !== "png" && !(to === "gif" && kind === "alpha"))) {
      const { result } = await runOperation(convert, {
        bytes,
        options: { target_format: target } satisfies Partial<TaskOptions<"convert">>,
      });
      const isExact = target === "tiff" || target === "bmp";
      expect(gap(await seen(result), before), formats[target].label).toBeLessThanOrEqual(
        isExact ? 2 : name === "pq" ? 32 : 20,
      );
    }
  },
);

test("compress leaves the description as it is, high range and all; elsewhere the loss is named", async () => {
  const noisy = await sharp(await png(chunks.pq))
    .resize(480)
    .png({ compressionLevel: 0 })
    .toBuffer();
  const bytes = Buffer.concat([noisy.subarray(0, 33), ...chunks.pq, noisy.subarray(33)]);
  const { outcome, result } = await runOperation(compress, { bytes, options: { quality: 75 } });
  expect(result.length).toBeLessThan(bytes.length);
  expect([...pngChunks(result)].map(({ type }) => type)).toContain("cICP");
  expect([...pngChunks(result)].map(({ type }) => type)).not.toContain("iCCP");
  expect(outcome).toMatchObject({ notes: [] });
  const converted = await runOperation(convert, { bytes, options: { target_format: "webp" } });
  expect(converted.outcome).toMatchObject({ notes: [{ code: "high-range-reduced" }] });
});
