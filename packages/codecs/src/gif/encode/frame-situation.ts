import type { Rectangle } from "../../raster/raster.ts";
import type { GifPalette } from "./palette.ts";

/** A frame to encode and the canvases around it, each whole and of packed colours (see `packColour`). */
export type FrameSituation = {
  canvasWidth: number;
  canvasHeight: number;
  /** The frame's original colours. */
  target: Uint32Array;
  /** The decoder's canvas before the frame, with the errors of earlier lossy frames. */
  base: Uint32Array;
  /** The original colours of the previous frame. */
  previous: Uint32Array;
  /** Whether `base` still shows the previous frame: its disposal is "keep". */
  isBaseShown: boolean;
  /** Contains all pixels in which target and base differ by more than the errors of earlier frames. */
  area: Rectangle;
  /** The encoded rectangle must contain this area. */
  mustHold: Rectangle;
};

/** An encoded frame. */
export type PackedPixels = {
  rectangle: Rectangle;
  palette: GifPalette;
  /** Whether any pixel has the transparent index. */
  isLeaving: boolean;
  rootBits: number;
  data: Uint8Array;
  /** Palette indices of the rectangle in raster order. */
  indices: Uint8Array;
};

/** Encodes one frame; undefined if there is nothing to draw. */
export type PackFrame = (situation: FrameSituation) => PackedPixels | undefined;
