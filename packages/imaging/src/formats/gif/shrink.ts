import { DomainError } from "@tintype/contract";
import type { Animation } from "./animation.ts";
import { createPaletteChoice } from "./choose-palette.ts";
import { bitsFor } from "./container.ts";
import { type GifDocument, readGif } from "./document.ts";
import type { PackFrame } from "./frame-situation.ts";
import { createExactPacking, TooManyColours } from "./pack-exactly.ts";
import { createTolerantPacking } from "./pack-tolerantly.ts";
import { createPalette, type Palette } from "./palette.ts";
import { playGif } from "./play.ts";
import { quantise } from "./quantise.ts";
import { toleranceFor } from "./settings.ts";
import { stripGif } from "./strip.ts";
import { type ColourSurvey, sharedColours, surveyColours } from "./survey.ts";
import type { Tolerance } from "./tolerant-choices.ts";
import { writeAnimation } from "./write-animation.ts";

export type ShrinkOptions = {
  /** 1 to 100; 100 keeps every pixel of every frame. */
  quality: number;
  signal?: AbortSignal;
  /** 0..1 */
  progress?: (fraction: number) => void;
};

/** A larger canvas keeps its packing, px: packing takes some 45 bytes a pixel, and real GIFs are not that large. */
const maximumCanvas = 16e6;
/** From this quality on the loss is small enough that exact packing may win; it takes half as long again. */
const bothFromQuality = 90;
/** So it may where tolerance gained as little as this, or where there are no colours near each other. */
const smallGain = 0.8;
const fewColours = 32;

/**
 * Makes a GIF, still or moving, smaller, and never larger. Times, loop count and disposal look as before; comments and
 * metadata go, an ICC profile stays. Other work runs between frames. It keeps a few canvases and one packed frame.
 * @throws broken-image when the file is damaged (see `readGif` for the tolerated damage)
 * @throws too-many-pixels when it claims more than `readGif` accepts
 * @throws cancelled when `signal` is aborted
 */
export async function shrinkGif(bytes: Uint8Array, options: ShrinkOptions): Promise<Uint8Array> {
  const gif = readGif(bytes);
  const stripped = stripGif(gif);
  const results = [stripped, ...(await repack(gif, { ...options, smallGain: stripped.length * smallGain }))];
  const least = results.reduce((best, result) => (result.length < best.length ? result : best));
  // A file that only lacks its last byte would grow by it.
  return least.length <= bytes.length ? least : bytes;
}

type Repacking = ShrinkOptions & { smallGain: number };

async function repack(gif: GifDocument, { quality, smallGain, signal, progress }: Repacking): Promise<Uint8Array[]> {
  const animation: Animation = { ...gif, frameCount: gif.frames.length, frames: () => playGif(gif) };
  const isLarge = gif.width * gif.height > maximumCanvas;
  const passes = isLarge ? 1 : quality < 100 ? 3 : 2;
  const beforeFrame = createPacer({ steps: gif.frames.length * passes, signal, progress });
  if (isLarge) {
    for (const _ of playGif(gif)) await beforeFrame(); // finds damage
    return [];
  }
  const survey = await surveyColours(animation, beforeFrame);
  const results: Uint8Array[] = [];
  if (quality < 100) {
    const sharedPalette = shareNearly(survey, animation);
    const tolerance = toleranceFor(quality);
    const { result, used } = await writeTolerantly(animation, { sharedPalette, tolerance, beforeFrame });
    results.push(result);
    // A still picture often uses a part of its table: with that part alone the table and the codes are shorter.
    if (sharedPalette && animation.frameCount === 1) {
      const fewer = createPalette(used, survey.hasTransparency);
      if (bitsFor(fewer.colours.length) < bitsFor(sharedPalette.colours.length))
        results.push((await writeTolerantly(animation, { sharedPalette: fewer, tolerance, beforeFrame })).result);
    }
    if (quality < bothFromQuality && result.length < smallGain && survey.colours.length > fewColours) return results;
  }
  const sharedPalette = shareExactly(survey, animation);
  try {
    const packFrame = createExactPacking(sharedPalette);
    results.push(await writeAnimation(animation, { packFrame, sharedPalette, beforeFrame }));
  } catch (problem) {
    if (!(problem instanceof TooManyColours)) throw problem;
  }
  return results;
}

type TolerantWriting = { sharedPalette: Palette | undefined; tolerance: Tolerance; beforeFrame: () => Promise<void> };

/** `used`: the colours that any pixel has, packed; the commonest first. */
async function writeTolerantly(
  animation: Animation,
  { sharedPalette, tolerance, beforeFrame }: TolerantWriting,
): Promise<{ result: Uint8Array; used: number[] }> {
  const counts = new Map<number, number>();
  const pack = createTolerantPacking(tolerance, createPaletteChoice(sharedPalette, tolerance));
  const packFrame: PackFrame = (situation) => {
    const packed = pack(situation);
    if (packed && animation.frameCount === 1)
      for (const index of packed.indices) {
        const colour = packed.palette.colours[index] as number;
        if (colour !== 0) counts.set(colour, (counts.get(colour) ?? 0) + 1);
      }
    return packed;
  };
  const result = await writeAnimation(animation, { packFrame, sharedPalette, beforeFrame });
  return { result, used: [...counts].sort(([, a], [, b]) => b - a).map(([colour]) => colour) };
}

/** Colours that a table for all frames is made from: more take long, and those beyond cover next to nothing. */
const maximumColours = 1 << 16;

function shareNearly(survey: ColourSurvey, animation: Animation): Palette | undefined {
  const { colours, areas } = survey;
  if (colours.length <= sharedColours) return shareExactly(survey, animation);
  if (colours.length <= maximumColours)
    return createPalette(quantise({ colours, weights: areas }, sharedColours), true);
  const largest = Uint32Array.from(areas.keys())
    .sort((a, b) => (areas[b] as number) - (areas[a] as number))
    .subarray(0, maximumColours);
  const weights = Float64Array.from(largest, (number) => areas[number] as number);
  return createPalette(
    quantise({ colours: largest.map((number) => colours[number] as number), weights }, sharedColours),
    true,
  );
}

/** The commonest colours come first: frames of few colours then need only short codes. */
function shareExactly(
  { colours, frameUses, shared, hasTransparency }: ColourSurvey,
  { frameCount }: Animation,
): Palette | undefined {
  if (shared.length === 0) return undefined;
  const commonFirst = shared.toSorted((a, b) => (frameUses[b] as number) - (frameUses[a] as number));
  return createPalette(
    commonFirst.map((number) => colours[number] as number),
    frameCount > 1 || hasTransparency,
  );
}

/** Time of work between two pauses for messages, such as one that cancels. */
const pauseAfterMs = 50;

type Pace = { steps: number; signal: AbortSignal | undefined; progress: ShrinkOptions["progress"] };

function createPacer({ steps, signal, progress }: Pace): () => Promise<void> {
  let done = 0;
  let pausedAt = performance.now();
  return async () => {
    if (performance.now() - pausedAt > pauseAfterMs) {
      await new Promise((resume) => setImmediate(resume));
      pausedAt = performance.now();
    }
    if (signal?.aborted) throw new DomainError("cancelled");
    progress?.(done++ / steps);
  };
}
