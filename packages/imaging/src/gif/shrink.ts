import { DomainError } from "@tintype/contract";
import type { Animation } from "./animation.ts";
import { createPaletteChoice } from "./choose-palette.ts";
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
import type { Tolerance } from "./tolerant-search.ts";
import { writeAnimation } from "./write-animation.ts";

export type ShrinkOptions = {
  /** 1 to 100; 100 keeps every pixel of every frame. */
  quality: number;
  signal?: AbortSignal;
  /** 0..1 */
  progress?: (fraction: number) => void;
};

/**
 * Makes a GIF, still or moving, smaller, and never larger. Times, loop count and disposal look as before; comments and
 * metadata go, an ICC profile stays. Lets other work in between frames.
 * @throws broken-image when the file is damaged (see `readGif` for what is tolerated)
 * @throws cancelled when `signal` is aborted
 */
export async function shrinkGif(bytes: Uint8Array, options: ShrinkOptions): Promise<Uint8Array> {
  const gif = readGif(bytes);
  const stripped = stripGif(gif);
  const repacked = await repack(gif, options);
  return repacked && repacked.length < stripped.length ? repacked : stripped;
}

async function repack(gif: GifDocument, { quality, signal, progress }: ShrinkOptions): Promise<Uint8Array | undefined> {
  const animation: Animation = { ...gif, frameCount: gif.frames.length, frames: () => playGif(gif) };
  const beforeFrame = createPacer({ steps: gif.frames.length * 2, signal, progress });
  const survey = await surveyColours(animation, beforeFrame);
  const sharedPalette = shareColours(survey, animation, quality < 100);
  const packFrame =
    quality < 100 ? packWithin(toleranceFor(quality), sharedPalette) : createExactPacking(sharedPalette);
  try {
    return await writeAnimation(animation, { packFrame, sharedPalette, beforeFrame });
  } catch (problem) {
    if (problem instanceof TooManyColours) return undefined;
    throw problem;
  }
}

const packWithin = (tolerance: Tolerance, sharedPalette: Palette | undefined): PackFrame =>
  createTolerantPacking(tolerance, createPaletteChoice(sharedPalette, tolerance));

function shareColours(
  { colours, areas, frameUses, shared, hasTransparency }: ColourSurvey,
  { frameCount }: Animation,
  mayDiffer: boolean,
): Palette | undefined {
  if (mayDiffer && colours.length > sharedColours)
    return createPalette(quantise({ colours, weights: areas }, sharedColours), true);
  if (shared.length === 0) return undefined;
  const commonFirst = shared.toSorted((a, b) => (frameUses[b] as number) - (frameUses[a] as number));
  return createPalette(
    commonFirst.map((number) => colours[number] as number),
    frameCount > 1 || hasTransparency,
  );
}

/** How long to work before letting messages in, such as the one that cancels. */
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
