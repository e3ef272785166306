import type { Note } from "@tintype/contract";
import type { Sharp } from "sharp";
import type { DecodedPicture } from "../raster/decoded-picture.ts";

export type EncodeOptions = {
  /** 1 to 100, on one perceptual scale for all formats; 100 is lossless if the format supports it. */
  quality: number;
  signal?: AbortSignal | undefined;
  /** The source is known to have 4:2:0 chroma: the encoder then need not inspect the pixels. */
  hasHalvedColour?: boolean;
  /**
   * Spends time on the smallest file, and makes PNG, TIFF and GIF as lossy as `quality` allows; without it they are
   * lossless.
   */
  minimizeBytes?: boolean;
  /** The picture has all its frames, as sharp's page strip. */
  isAnimated?: boolean;
  /** The timing of an animation, where the pipeline cannot carry all of it: sharp's has 16 bits. */
  timing?: Timing | undefined;
  /** A user waits for a large picture: speed matters more than a tenth of the bytes. */
  isUrgent?: boolean;
  /** The decoded samples, if the caller has them: the encoder then does not decode the picture to inspect it. */
  decoded?: DecodedPicture | undefined;
  /** If the picture is a part of another one: the detail of the whole, by which the encoder chooses its setting. Undefined: a drawing. */
  detailOfWhole?: number | undefined;
};

/** `delays`: ms, by frame. `plays`: 0 loops forever. */
export type Timing = { delays: readonly number[]; plays: number };

/**
 * `width` and `height`: px, of one frame. `notes`: the losses that the format causes. `isExact`: known to
 * lose nothing of the pixels.
 */
export type Encoded = { bytes: Uint8Array; width: number; height: number; notes: Note[]; isExact?: boolean };

/** Encodes a picture in one format. Frames of an animation are passed as sharp's page strip. */
export type Encoder = (image: Sharp, options: EncodeOptions) => Promise<Encoded>;
