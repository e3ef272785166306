import type { Sharp } from "sharp";
import type { DecodedPicture } from "../raster/decoded-picture.ts";

export type EncodeOptions = {
  /** 1 to 100 on the product's one scale, the same likeness in every format; 100 is lossless where the format can. */
  quality: number;
  signal?: AbortSignal;
  /** The source is known to store colour at half size: the encoder then need not inspect the pixels. */
  hasHalvedColour?: boolean;
  /**
   * Every byte counts: encoders take their time, and PNG, TIFF and GIF may lose as much as the quality allows. Unset,
   * these formats lose nothing.
   */
  minimizeBytes?: boolean;
  /** The picture's frames come as sharp's tall strip. */
  isMoving?: boolean;
  /** Time counts more than a tenth of the bytes: the picture is large, and a person waits for it. */
  isUrgent?: boolean;
  /** The picture's samples, where the caller has them in memory: the encoder then does not decode it to inspect it. */
  decoded?: DecodedPicture;
};

/**
 * `width` and `height` in px, of one frame; `notes` names each thing that the format could not store, in a sentence.
 */
export type Encoded = { bytes: Uint8Array; width: number; height: number; notes: string[] };

/** Writes a picture in one format. All frames of a moving picture come as sharp's tall page strip. */
export type Encoder = (image: Sharp, options: EncodeOptions) => Promise<Encoded>;
