import { type GifDocument, readGif } from "../document.ts";
import { type Animation, playGif } from "../play.ts";
import { createPaletteChoice } from "./choose-palette.ts";
import { bitsFor, stripDocument } from "./container.ts";
import type { PackFrame } from "./frame-situation.ts";
import { createExactPacking, TooManyColours } from "./pack-exactly.ts";
import { createTolerantPacking } from "./pack-tolerantly.ts";
import { chooseColours, createPalette, type GifPalette } from "./palette.ts";
import { type ColourSurvey, sharedColours, surveyColours } from "./survey.ts";
import { type Tolerance, toleranceFor } from "./tolerant-choices.ts";
import { writeAnimation } from "./write-animation.ts";

export type ShrinkOptions = {
  /** 1 to 100; 100 keeps every pixel of every frame. */
  quality: number;
  /** Awaited before each frame, in each pass: the caller lets its event loop run, when it has worked for long. */
  pause?: (() => Promise<unknown>) | undefined;
  signal?: AbortSignal | undefined;
  /** 0..1 */
  progress?: ((fraction: number) => void) | undefined;
  /**
   * The share of the bytes that a lossy result must save over the stripped source; otherwise the result is lossless.
   */
  minGain?: number;
};

/** px. A larger canvas is not re-encoded: encoding takes some 45 bytes per pixel, and real GIFs are smaller. */
const maximumCanvas = 16e6;
/** From this share of the frames on, and from this many frames on, encoding is abandoned once it exceeds its rival. */
const tried = { share: 0.25, frames: 8 };

/**
 * Re-encodes a still or animated GIF (GIF89a) in fewer bytes; the result is never larger. Timing, loop count and the
 * rendered frames stay; comments and metadata are removed, an ICC profile is kept. Memory holds a few canvases and one encoded frame.
 * @throws damaged when the file is damaged (see `readGif` for the tolerated damage)
 * @throws too-large when it claims more than `readGif` accepts
 * @throws the reason of `signal` when it is aborted
 */
export async function shrinkGif(bytes: Uint8Array, options: ShrinkOptions): Promise<Uint8Array> {
  const gif = readGif(bytes);
  const stripped = stripDocument(gif);
  const maxLossyBytes = stripped.length * (1 - (options.minGain ?? 0));
  const { lossy, lossless } = await repack(gif, { ...options, stripped, maxLossyBytes });
  const best = smallest([...lossy.filter(({ length }) => length < maxLossyBytes), stripped, ...lossless]);
  // The writer adds a graphic control extension to a still picture, which `stripDocument` drops if it is not needed.
  const least = best === stripped ? stripped : smallest([best, stripDocument(readGif(best))]);
  // Adding a missing trailer can make the result one byte larger.
  return least.length <= bytes.length ? least : bytes;
}

const smallest = (results: readonly Uint8Array[]): Uint8Array =>
  results.reduce((best, result) => (result.length < best.length ? result : best));

type Repacked = { lossy: Uint8Array[]; lossless: Uint8Array[] };

type RepackOptions = ShrinkOptions & { stripped: Uint8Array; maxLossyBytes: number };

async function repack(
  gif: GifDocument,
  { quality, minGain = 0, stripped, maxLossyBytes, pause, signal, progress }: RepackOptions,
): Promise<Repacked> {
  const animation: Animation = { ...gif, frameCount: gif.frames.length, frames: () => playGif(gif) };
  const isLarge = gif.width * gif.height > maximumCanvas;
  const passes = isLarge ? 1 : quality < 100 ? 6 : 2;
  const beforeFrame = createPacer({ steps: gif.frames.length * passes, pause, signal, progress });
  const results: Repacked = { lossy: [], lossless: [] };
  if (isLarge) {
    for (const _ of playGif(gif)) await beforeFrame(); // decodes all frames, to report damage
    return results;
  }
  const survey = await surveyColours(animation, beforeFrame);
  /** Bytes up to the end of each frame: in the source, and in `rival` in the smallest encoding so far. */
  const own = gif.frames.map(({ endOffset }) => endOffset);
  let rival: readonly number[] = own;
  if (quality < 100) {
    const sharedPalette = shareNearly(survey, animation);
    const tolerance = toleranceFor(quality);
    const sizes: number[] = [];
    const first = await unlessLarger(() =>
      writeTolerantly(animation, {
        sharedPalette,
        tolerance,
        beforeFrame,
        race: { rival: own.map((end) => end * (1 - minGain / 2)), sizes },
      }),
    );
    if (first) {
      results.lossy.push(first.result);
      if (first.result.length < maxLossyBytes) rival = sizes;
      // A still picture often uses only a part of its colour table: without the rest, table and LZW codes are shorter.
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
  if (near !== stripped && near.length < maxLossyBytes) {
    // Encode the lossy frames losslessly once more: otherwise a second run on the result would still save bytes.
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

type ExactPackOptions = { survey: ColourSurvey; rival: readonly number[]; beforeFrame: () => Promise<void> };

/** The lossless result; undefined if it exceeds the rival, or if a frame has more colours than a colour table. */
function packExactly(
  animation: Animation,
  { survey, rival, beforeFrame }: ExactPackOptions,
): Promise<Uint8Array | undefined> {
  const sharedPalette = shareExactly(survey, animation);
  const packFrame = inRace(createExactPacking(sharedPalette), { rival, sizes: [] });
  return unlessLarger(() => writeAnimation(animation, { packFrame, sharedPalette, beforeFrame }));
}

/** Abandons an encoding that saves nothing: for one well-encoded GIF it took 16 s to find that out at the end. */
class NotSmaller extends Error {}

async function unlessLarger<T>(write: () => Promise<T>): Promise<T | undefined> {
  try {
    return await write();
  } catch (problem) {
    if (problem instanceof NotSmaller || problem instanceof TooManyColours) return undefined;
    throw problem;
  }
}

/**
 * `rival`: bytes up to the end of each frame in another encoding; `sizes` receives those of this one, image data only.
 */
type Race = { rival: readonly number[]; sizes: number[] };

function inRace(packFrame: PackFrame, { rival, sizes }: Race): PackFrame {
  const from = Math.max(tried.frames, Math.ceil(rival.length * tried.share));
  let bytes = 0;
  return (situation) => {
    const packed = packFrame(situation);
    bytes += packed ? packed.data.length : 0;
    sizes.push(bytes);
    if (sizes.length >= from && sizes.length < rival.length && bytes > (rival[sizes.length - 1] ?? 0))
      throw new NotSmaller();
    return packed;
  };
}

type TolerantWriteOptions = {
  sharedPalette: GifPalette | undefined;
  tolerance: Tolerance;
  beforeFrame: () => Promise<void>;
  race?: Race;
};

/** `used`: the packed colours that a still picture draws, most frequent first; empty for an animation. */
async function writeTolerantly(
  animation: Animation,
  { sharedPalette, tolerance, beforeFrame, race }: TolerantWriteOptions,
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

/** Distinct colours from which the global palette is chosen. More take long, and the rarest cover next to no pixels. */
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

/** The colours of most frames come first: frames of few colours then need a smaller LZW code size. */
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

type Pace = { steps: number } & Pick<ShrinkOptions, "pause" | "signal" | "progress">;

function createPacer({ steps, pause, signal, progress }: Pace): () => Promise<void> {
  let done = 0;
  return async () => {
    await pause?.();
    signal?.throwIfAborted();
    progress?.(done++ / steps);
  };
}
