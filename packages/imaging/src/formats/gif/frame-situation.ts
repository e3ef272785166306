import type { Rectangle } from "../../raster/raster.ts";
import type { GifPalette } from "./palette.ts";

/** One frame to pack, and its surroundings. All canvases are whole and packed (see `packColour`). */
export type FrameSituation = {
  canvasWidth: number;
  canvasHeight: number;
  /** The frame's wanted colours. */
  target: Uint32Array;
  /** A viewer's canvas before it draws the frame, with the errors of earlier frames. */
  base: Uint32Array;
  /** The wanted colours of the frame before. */
  previous: Uint32Array;
  /** Whether `base` is the frame before as it was shown: not cleared nor taken back. */
  isBaseShown: boolean;
  /** The area in which target and base may differ by more than the errors of earlier frames. */
  area: Rectangle;
  /** The area that the result must contain. */
  mustHold: Rectangle;
};

/** The pixels of one frame, packed. */
export type PackedPixels = {
  rectangle: Rectangle;
  palette: GifPalette;
  /** Whether any pixel of the canvas is left as it was. */
  isLeaving: boolean;
  rootBits: number;
  data: Uint8Array;
  /** Into the palette, row by row of the rectangle. */
  indices: Uint8Array;
};

/** Packs one frame; undefined where there is nothing to draw. */
export type PackFrame = (situation: FrameSituation) => PackedPixels | undefined;
