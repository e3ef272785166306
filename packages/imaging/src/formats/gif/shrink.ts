import { DomainError } from "@tintype/contract";
import { createPaletteChoice } from "./choose-palette.ts";
import { bitsFor, stripDocument } from "./container.ts";
import { type GifDocument, readGif } from "./document.ts";
import type { PackFrame } from "./frame-situation.ts";
import { createExactPacking, TooManyColours } from "./pack-exactly.ts";
import { createTolerantPacking } from "./pack-tolerantly.ts";
import { chooseColours, createPalette, type GifPalette } from "./palette.ts";
import { type Animation, playGif } from "./play.ts";
import { type ColourSurvey, sharedColours, surveyColours } from "./survey.ts";
import { type Tolerance, toleranceFor } from "./tolerant-choices.ts";
import { writeAnimation } from "./write-animation.ts";

export type ShrinkOptions = {
  /** 1 to 100; 100 keeps every pixel of every frame. */
  quality: number;
  signal?: AbortSignal;
  /** 0..1 */
  progress?: (fraction: number) => void;
  /** The share of the bytes that a lossy result must save; otherwise the result is lossless. */
  leastGain?: number;
};

/** A larger canvas keeps its packing, px: packing takes some 45 bytes a pixel, and real GIFs are not that large. */
const maximumCanvas = 16e6;
/** Packing ends after this share of the frames if it has saved nothing. */
const tried = { share: 0.25, frames: 8 };

/**
 * Makes a GIF, still or moving, smaller, and never larger. Times, loop count and disposal look as before; comments and
 * metadata go, an ICC profile stays. Other work runs between frames. It keeps a few canvases and one packed frame.
 * @throws broken-image when the file is damaged (see `readGif` for the tolerated damage)
 * @throws too-many-pixels when it claims more than `readGif` accepts
 * @throws cancelled when `signal` is aborted
 */
export async function shrinkGif(bytes: Uint8Array, options: ShrinkOptions): Promise<Uint8Array> {
  const gif = readGif(bytes);
  const stripped = stripDocument(gif);
  const mostLossyBytes = stripped.length * (1 - (options.leastGain ?? 0));
  const { lossy, lossless } = await repack(gif, { ...options, stripped, mostLossyBytes });
  const best = smallest([...lossy.filter(({ length }) => length < mostLossyBytes), stripped, ...lossless]);
  // A still picture that was written here has a delay, which it does not need.
  const least = best === stripped ? stripped : smallest([best, stripDocument(readGif(best))]);
  // A file that only lacks its last byte would grow by it.
  return least.length <= bytes.length ? least : bytes;
}

const smallest = (results: readonly Uint8Array[]): Uint8Array =>
  results.reduce((best, result) => (result.length < best.length ? result : best));

type Repacked = { lossy: Uint8Array[]; lossless: Uint8Array[] };

type Repacking = ShrinkOptions & { stripped: Uint8Array; mostLossyBytes: number };

async function repack(
  gif: GifDocument,
  { quality, leastGain = 0, stripped, mostLossyBytes, signal, progress }: Repacking,
): Promise<Repacked> {
  const animation: Animation = { ...gif, frameCount: gif.frames.length, frames: () => playGif(gif) };
  const isLarge = gif.width * gif.height > maximumCanvas;
  const passes = isLarge ? 1 : quality < 100 ? 6 : 2;
  const beforeFrame = createPacer({ steps: gif.frames.length * passes, signal, progress });
  const results: Repacked = { lossy: [], lossless: [] };
  if (isLarge) {
    for (const _ of playGif(gif)) await beforeFrame(); // finds damage
    return results;
  }
  const survey = await surveyColours(animation, beforeFrame);
  /** Bytes of the file up to the end of each frame; then, of the smallest packing until now. */
  const own = gif.frames.map(({ endOffset }) => endOffset);
  let rival: readonly number[] = own;
  if (quality < 100) {
    const sharedPalette = shareNearly(survey, animation);
    const tolerance = toleranceFor(quality);
    const sizes: number[] = [];
    const first = await untilHopeless(() =>
      writeTolerantly(animation, {
        sharedPalette,
        tolerance,
        beforeFrame,
        race: { rival: own.map((end) => end * (1 - leastGain / 2)), sizes },
      }),
    );
    if (first) {
      results.lossy.push(first.result);
      if (first.result.length < mostLossyBytes) rival = sizes;
      // A still picture often uses a part of its table: with that part alone the table and the codes are shorter.
      if (sharedPalette && animation.frameCount === 1) {
        const fewer = createPalette(first.used, survey.hasTransparency);
        if (bitsFor(fewer.colours.length) < bitsFor(sharedPalette.colours.length))
          results.lossy.push(
            (await writeTolerantly(animation, { sharedPalette: fewer, tolerance, beforeFrame })).result,
          );
      }
    }
  }
  const near = smallest(results.lossy.length > 0 ? results.lossy : [stripped]);
  if (near !== stripped && near.length < mostLossyBytes) {
    // What was lost may make other ways of packing shorter: without this a second run would find them.
    const document = readGif(near);
    const again: Animation = { ...document, frameCount: document.frames.length, frames: () => playGif(document) };
    const ends = document.frames.map(({ endOffset }) => endOffset);
    const packed = await packExactly(again, {
      survey: await surveyColours(again, beforeFrame),
      rival: ends,
      beforeFrame,
    });
    if (packed) results.lossy.push(packed);
  }
  const exact = await packExactly(animation, { survey, rival, beforeFrame });
  if (exact) results.lossless.push(exact);
  return results;
}

type ExactPacking = { survey: ColourSurvey; rival: readonly number[]; beforeFrame: () => Promise<void> };

/** The lossless result; undefined if it is larger than the rival, or a frame has more colours than a table. */
function packExactly(
  animation: Animation,
  { survey, rival, beforeFrame }: ExactPacking,
): Promise<Uint8Array | undefined> {
  const sharedPalette = shareExactly(survey, animation);
  const packFrame = inRace(createExactPacking(sharedPalette), { rival, sizes: [] });
  return untilHopeless(() => writeAnimation(animation, { packFrame, sharedPalette, beforeFrame }));
}

/** Packing ends early where it saves nothing: of a GIF that was packed well it took 16 s to find so. */
class Hopeless extends Error {}

async function untilHopeless<T>(write: () => Promise<T>): Promise<T | undefined> {
  try {
    return await write();
  } catch (problem) {
    if (problem instanceof Hopeless || problem instanceof TooManyColours) return undefined;
    throw problem;
  }
}

/** `rival`: bytes up to the end of each frame in another packing; `sizes` gets those of this one. */
type Race = { rival: readonly number[]; sizes: number[] };

function inRace(packFrame: PackFrame, { rival, sizes }: Race): PackFrame {
  const from = Math.max(tried.frames, Math.ceil(rival.length * tried.share));
  let bytes = 0;
  return (situation) => {
    const packed = packFrame(situation);
    bytes += packed ? packed.data.length : 0;
    sizes.push(bytes);
    if (sizes.length >= from && sizes.length < rival.length && bytes > (rival[sizes.length - 1] ?? 0))
      throw new Hopeless();
    return packed;
  };
}

type TolerantWriting = {
  sharedPalette: GifPalette | undefined;
  tolerance: Tolerance;
  beforeFrame: () => Promise<void>;
  race?: Race;
};

/** `used`: the colours that any pixel has, packed; the commonest first. */
async function writeTolerantly(
  animation: Animation,
  { sharedPalette, tolerance, beforeFrame, race }: TolerantWriting,
): Promise<{ result: Uint8Array; used: number[] }> {
  const counts = new Map<number, number>();
  const pack = createTolerantPacking(tolerance, createPaletteChoice(sharedPalette, tolerance));
  const tolerant: PackFrame = (situation) => {
    const packed = pack(situation);
    if (packed && animation.frameCount === 1)
      for (const index of packed.indices) {
        const colour = packed.palette.colours[index] as number;
        if (colour !== 0) counts.set(colour, (counts.get(colour) ?? 0) + 1);
      }
    return packed;
  };
  const packFrame = race ? inRace(tolerant, race) : tolerant;
  const result = await writeAnimation(animation, { packFrame, sharedPalette, beforeFrame });
  return { result, used: [...counts].sort(([, a], [, b]) => b - a).map(([colour]) => colour) };
}

/** Colours that a table for all frames is made from: more take long, and those beyond cover next to nothing. */
const maximumColours = 1 << 16;

function shareNearly(survey: ColourSurvey, animation: Animation): GifPalette | undefined {
  const { colours, areas } = survey;
  if (colours.length <= sharedColours) return shareExactly(survey, animation);
  if (colours.length <= maximumColours)
    return createPalette(chooseColours({ colours, weights: areas }, sharedColours), true);
  const largest = Uint32Array.from(areas.keys())
    .sort((a, b) => (areas[b] as number) - (areas[a] as number))
    .subarray(0, maximumColours);
  const weights = Float64Array.from(largest, (number) => areas[number] as number);
  return createPalette(
    chooseColours({ colours: largest.map((number) => colours[number] as number), weights }, sharedColours),
    true,
  );
}

/** The commonest colours come first: frames of few colours then need only short codes. */
function shareExactly(
  { colours, frameUses, shared, hasTransparency }: ColourSurvey,
  { frameCount }: Animation,
): GifPalette | undefined {
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
