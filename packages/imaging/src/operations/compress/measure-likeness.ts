import { rm } from "node:fs/promises";
import type { Raster, RowReader, Size } from "@tintype/codecs/raster";
import { ssimulacra2 } from "@tintype/codecs/score";
import { openSource } from "../../formats/open-source.ts";
import type { Source } from "../../formats/source.ts";
import { writeWhole } from "../../formats/write-picture.ts";
import { isTiny, sampleRows } from "../../quality/sample.ts";
import { readRows } from "../../raster/read-rows.ts";
import type { Request } from "./encode.ts";
import type { Candidate } from "./original.ts";

/**
 * The likeness of a candidate to its original, a SSIMULACRA 2.1 score with two decimals; undefined if it cannot be
 * measured.
 * @throws broken-image
 */
export type Meter = (candidate: Candidate) => Promise<number | undefined>;

/**
 * Above 4 megapixels, the score is that of 64 tiles at full resolution: a reduced copy would hide losses. It takes a
 * second and 150 MB.
 */
const tiles = { side: 256, across: 8 };
/** Of an animation; the frames are spaced evenly. */
const maxPixelsOfFrames = 16e6;

/** The score of identical pixels. */
const alike = 100;

/**
 * Measures the candidates of one request; its source is decoded once. A smaller result is enlarged to the original's
 * size. An animation scores as its worst frame; if duplicate frames were merged, each is compared with the one
 * displayed at its time.
 */
export function createMeter({ source, task, context: { signal } }: Request): Meter {
  const path = `${task.outputPath}.scored`;
  const temporaryPath = `${path}.tif`;
  const { width, height } = source;
  const frames = chosenFrames(source);
  const { reportMegapixels: _, ...limits } = task.limits;
  let originals: Promise<Raster<Uint8Array>[]> | undefined;
  return async (candidate) => {
    if (candidate.isOriginal) return alike;
    await writeWhole(path, candidate.bytes);
    try {
      originals ??= readSamples(source, { size: { width, height }, frames, temporaryPath });
      const references = await originals;
      signal.throwIfAborted();
      const result = await openSource(path, limits);
      const shown = framesOf(result) === framesOf(source) ? frames : await framesAt(result, { source, frames });
      if (!shown) return undefined;
      const scores: (number | undefined)[] = [];
      for (const [i, sample] of (await readSamples(result, { size: source, frames: shown, temporaryPath })).entries()) {
        signal.throwIfAborted();
        const reference = references[i];
        scores.push(reference && likenessOf(reference, sample));
      }
      return leastOf(scores);
    } finally {
      await rm(path, { force: true });
    }
  };
}

const framesOf = ({ isAnimated, pages }: Source): number => (isAnimated ? pages : 1);

function chosenFrames(source: Source): number[] {
  const all = framesOf(source);
  const pixels = Math.min(source.width * source.height, (tiles.side * tiles.across) ** 2);
  const count = Math.min(all, Math.max(2, Math.floor(maxPixelsOfFrames / pixels)));
  return Array.from({ length: count }, (_, i) => Math.round((i * (all - 1)) / Math.max(1, count - 1)));
}

/** For a result with merged frames: those displayed at the source's times. Undefined if delays are missing. */
async function framesAt(
  result: Source,
  { source, frames }: { source: Source; frames: readonly number[] },
): Promise<number[] | undefined> {
  const [before, after] = await Promise.all([source, result].map(delaysOf));
  if (!before || !after) return undefined;
  const ends = endsOf(after);
  const starts = [0, ...endsOf(before)];
  return frames.map((frame) => {
    const middle = ((starts[frame] ?? 0) + (starts[frame + 1] ?? 0)) / 2;
    const at = ends.findIndex((end) => middle < end);
    return at < 0 ? ends.length - 1 : at;
  });
}

/** ms; a still result has one frame of infinite duration. */
async function delaysOf(source: Source): Promise<number[] | undefined> {
  if (!source.isAnimated) return [Number.POSITIVE_INFINITY];
  const { delay } = await source.read({ frames: "all" }).metadata();
  return delay?.length === source.pages ? delay : undefined;
}

function endsOf(delays: readonly number[]): number[] {
  let end = 0;
  return delays.map((delay) => {
    end += Math.max(delay, 1); // a delay of 0 is displayed, too
    return end;
  });
}

type SampleOptions = { size: Size; frames: readonly number[]; temporaryPath: string };

/** A sample of each chosen frame, in sRGB. */
async function readSamples(
  source: Source,
  { size: { width, height }, frames, temporaryPath }: SampleOptions,
): Promise<Raster<Uint8Array>[]> {
  const isOtherSize = !source.isAnimated && (source.width !== width || source.height !== height);
  const image = source.read({ frames: "all", colour: "srgb" });
  const rows = await readRows(isOtherSize ? image.resize({ width, height, fit: "fill" }) : image, {
    picture: { depth: 8, isGrey: false, hasAlpha: source.hasAlpha },
    sizeBytes: width * height * framesOf(source) * 4,
    temporaryPath,
  });
  try {
    const reader = rows as RowReader<Uint8Array>; // sRGB has 8 bits a channel
    return frames.map((frame) => sampleRows(reader, { first: frame * height, height }, tiles));
  } finally {
    rows.close();
  }
}

/** Undefined if the pictures differ but are too small for a score. */
function likenessOf(reference: Raster<Uint8Array>, sample: Raster<Uint8Array>): number | undefined {
  if (reference.channels === sample.channels && Buffer.compare(reference.data, sample.data) === 0) return alike;
  if (isTiny(reference)) return undefined;
  return Math.round(100 * ssimulacra2(reference, sample)) / 100;
}

const leastOf = (scores: readonly (number | undefined)[]): number | undefined =>
  scores.reduce((least, score) => (least === undefined || score === undefined ? undefined : Math.min(least, score)));
