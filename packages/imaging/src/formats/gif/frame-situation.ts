import type { Palette } from "./palette.ts";
import type { Rectangle } from "./rectangle.ts";

/** One frame to be packed, and what is around it. All canvases are whole and packed (see `packColour`). */
export type FrameSituation = {
  canvasWidth: number;
  canvasHeight: number;
  /** What the frame should show. */
  target: Uint32Array;
  /** What a viewer has on its canvas before drawing it, errors of earlier frames and all. */
  base: Uint32Array;
  /** What the frame before should have shown. */
  previous: Uint32Array;
  /** Whether `base` is the frame before as it was shown: not cleared nor taken back. */
  isBaseShown: boolean;
  /** Where target and base may differ by more than the errors of earlier frames. */
  area: Rectangle;
  /** What the result must at least hold. */
  mustHold: Rectangle;
};

/** The pixels of one frame, packed. */
export type PackedPixels = {
  rectangle: Rectangle;
  palette: Palette;
  /** Whether any pixel of the canvas is left as it was. */
  isLeaving: boolean;
  rootBits: number;
  data: Uint8Array;
  /** Into the palette, row by row of the rectangle. */
  indices: Uint8Array;
};

/** Packs one frame; undefined where there is nothing to draw. */
export type PackFrame = (situation: FrameSituation) => PackedPixels | undefined;
