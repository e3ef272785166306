import type { ColourTables } from "./colour-costs.ts";

/** The row of a pixel that only the transparent index may encode. */
export const leaveOnly = 0xffff;

/** A frame's wanted colours, and the permitted indices with their costs. */
export type TolerantChoices = {
  /** px. */
  width: number;
  /** Row of the `colours` tables for each pixel, or `leaveOnly`. [pixelCount] */
  rows: Uint16Array;
  colours: ColourTables;
  /**
   * The cost of the transparent index, as in `ColourTables.costs`; Infinity where the canvas is transparent.
   * [pixelCount]
   */
  leaveCosts: Float32Array;
  /** Packed colours: of the frame, and of the canvas before it. [pixelCount] */
  wantedColours: Uint32Array;
  shownColours: Uint32Array;
  transparentIndex: number;
  /** The activity around each pixel, an index into `weights`. [pixelCount] */
  activity: Uint8Array;
  /** Weight of an error by activity. */
  weights: Float32Array;
  tolerance: Tolerance;
};

/** The rate-distortion trade-off. */
export type Tolerance = {
  /** The weighted squared distance that one bit is worth. */
  distancePerBit: number;
  /** The largest weighted squared distance of a pixel. */
  limit: number;
};

/**
 * The tolerance for a quality of 1 to 99. At 75, no animation of `npm run bench:gif` is larger than by gifsicle
 * --lossy=80, and a photograph scores 66 in SSIMULACRA 2 against gifsicle's 46. The exponent was chosen so that it
 * scores 80 at 90, and the subject is still recognizable at 1.
 */
export function toleranceFor(quality: number): Tolerance {
  const loss = 1.35 * ((100 - quality) / 25) ** 0.8;
  return { distancePerBit: 28 * loss ** 1.6, limit: 400 * loss ** 1.2 };
}
