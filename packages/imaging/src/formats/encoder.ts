import type { Sharp } from "sharp";
import type { DecodedPicture } from "../raster/decoded-picture.ts";

export type EncodeOptions = {
  /** 1 to 100 on the product's one scale, the same likeness in every format; 100 is lossless where the format can. */
  quality: number;
  signal?: AbortSignal;
  /** Colour was stored at half size where it comes from, as far as is known: it spares a look at the pixels. */
  hasHalvedColour?: boolean;
  /** Every byte counts: formats without loss may lose what the quality allows, and time is spent. Unset: they lose nothing. */
  minimizeBytes?: boolean;
  /** Time counts more than a tenth of the bytes: the picture is large, and somebody waits for it. */
  isUrgent?: boolean;
  /** The picture's samples, where the caller has them in memory: the encoder then does not decode it to inspect it. */
  decoded?: DecodedPicture;
};

/** `width` and `height` in px, of one frame; `notes` says what the format could not hold, a sentence each. */
export type Encoded = { bytes: Uint8Array; width: number; height: number; notes: string[] };

/** Writes a picture in one format. All frames of a moving picture come as sharp's tall page strip. */
export type Encoder = (image: Sharp, options: EncodeOptions) => Promise<Encoded>;
