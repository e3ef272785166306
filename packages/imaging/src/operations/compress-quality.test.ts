import type { Raster } from "@tintype/codecs/raster";
import { ssimulacra2 } from "@tintype/codecs/score";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { drawLogo, drawPhoto, drawScreen } from "../../../codecs/src/testing/drawn-pictures.ts";
import { targetScore } from "../quality/scale.ts";
import { casesOfRun } from "../testing/deep.ts";
import { runOperation } from "../testing/run-operation.ts";
import { compress } from "./compress.ts";

const qualities = [1, 30, 60, 80, 92, 98, 100];
const size = { width: 160, height: 120 };
const pictures = { photo: drawPhoto(size), screen: drawScreen(size), logo: drawLogo(size) };
const open = ({ data, width, height, channels }: Raster<Uint8Array>) =>
  sharp(data, { raw: { width, height, channels } });

/** Sources of high quality: every quality setting then has something to lose. */
const sources = {
  jpeg: (picture: Raster<Uint8Array>) => open(picture).jpeg({ quality: 100, chromaSubsampling: "4:4:4" }).toBuffer(),
  png: (picture: Raster<Uint8Array>) => open(picture).png().toBuffer(),
  webp: (picture: Raster<Uint8Array>) => open(picture).webp({ lossless: true, effort: 0 }).toBuffer(),
  avif: (picture: Raster<Uint8Array>) => open(picture).avif({ lossless: true, effort: 0 }).toBuffer(),
  tiff: (picture: Raster<Uint8Array>) => open(picture).tiff({ compression: "none" }).toBuffer(),
} as const;
type Format = keyof typeof sources;

async function pointsOf(format: Format, name: keyof typeof pictures) {
  const bytes = await sources[format](pictures[name]);
  const before = await decode(bytes);
  const points: { quality: number; bytes: number; score: number }[] = [];
  for (const quality of qualities) {
    const { result } = await runOperation(compress, { bytes, options: { quality } });
    points.push({ quality, bytes: result.length, score: ssimulacra2(before, await decode(result)) });
  }
  return points;
}

async function decode(bytes: Uint8Array): Promise<Raster<Uint8Array>> {
  const { data, info } = await sharp(bytes).toColourspace("srgb").raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels as 3 | 4 };
}

/** An encoder's own noise may reverse two neighbours by this much. */
const slack = { bytes: 1.01, score: 0.5 };

const formatsOfPictures = [
  ["jpeg", "photo"],
  ["png", "photo"],
  ["png", "screen"],
  ["png", "logo"],
  ["webp", "photo"],
  ["webp", "screen"],
  ["webp", "logo"],
  ["avif", "photo"],
  ["tiff", "photo"],
] as const;

describe.each(casesOfRun<(typeof formatsOfPictures)[number]>(formatsOfPictures))("a %s of a %s", (format, name) => {
  // product: quality-means-likeness
  test("has more bytes and more likeness the higher the quality", async () => {
    const points = await pointsOf(format, name);
    for (const [i, point] of points.entries()) {
      const before = points[i - 1] ?? { bytes: 0, score: Number.NEGATIVE_INFINITY };
      expect(point.bytes * slack.bytes, JSON.stringify(points)).toBeGreaterThanOrEqual(before.bytes);
      // As lossy WebP, a smooth disc scores far above the target: at a higher quality, fewer bytes may score exactly
      // the target.
      const expected = Math.min(before.score, targetScore(point.quality));
      expect(point.score + slack.score, JSON.stringify(points)).toBeGreaterThanOrEqual(expected);
    }
    const [first, last] = [points[0], points.at(-1)];
    // Flat areas of a drawing keep their colours at every quality.
    expect(first?.bytes).toBeLessThan((last?.bytes ?? 0) * (name === "screen" ? 0.8 : 0.7));
    if (format !== "jpeg") expect(last?.score).toBe(100);
  });
});

test.each(casesOfRun([50, 80, 90]))("at %i a photograph looks alike in every format", async (quality) => {
  const scores: Partial<Record<Format, number>> = {};
  for (const format of Object.keys(sources) as Format[]) {
    const bytes = await sources[format](pictures.photo);
    const { result } = await runOperation(compress, { bytes, options: { quality } });
    scores[format] = ssimulacra2(pictures.photo, await decode(result));
  }
  const found = Object.values(scores);
  expect(Math.max(...found) - Math.min(...found), JSON.stringify(scores)).toBeLessThan(10);
});
