import type { ColourTables } from "./colour-costs.ts";

/** The row of a pixel at which no colour may be drawn. */
export const leaveOnly = 0xffff;

/** What a frame should show, and what it may show instead. */
export type TolerantChoices = {
  /** px of a row. */
  width: number;
  /** Row of `costs` for each pixel; `leaveOnly` where no colour may be drawn. [pixelCount] */
  rows: Uint16Array;
  colours: ColourTables;
  /** Squared distance of leaving what the canvas shows, Infinity where that is not allowed. [pixelCount] */
  leaveCosts: Float32Array;
  /** Packed: what should show, and what the canvas shows. [pixelCount] */
  wantedColours: Uint32Array;
  shownColours: Uint32Array;
  transparentIndex: number;
  /** Index into `weights`: how busy the picture is around each pixel. [pixelCount] */
  activity: Uint8Array;
  /** What an error weighs at each activity. */
  weights: Float32Array;
  tolerance: Tolerance;
};

/** How much likeness is given for bytes. */
export type Tolerance = {
  /** Weighted squared distance worth a bit. */
  distancePerBit: number;
  /** Weighted squared distance that no pixel may pass. */
  limit: number;
};
