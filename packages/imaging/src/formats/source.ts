import type { Note } from "@tintype/contract";
import type { Sharp } from "sharp";
import type { ColourSpace } from "../colour/in-colour.ts";
import { brokenImage } from "../raster/broken-image.ts";
import type { PictureFacts, PictureLimits } from "../task.ts";
import type { InputFile } from "./input-file.ts";

export type ReadOptions = {
  /** "all": an animation as sharp's page strip. For a still picture it equals "first". */
  frames?: "all" | "first";
  colour?: ColourSpace;
};

/** A file to open, and the caller's limits. */
export type FileOpenOptions = { file: InputFile; limits: PictureLimits };

/** An opened picture, whose header is within the caller's limits. */
export type Source = PictureFacts & {
  /** Frames of an animation, pages of a TIFF, pictures in a HEIC or ICO; otherwise 1. */
  pages: number;
  /** A GIF, WebP or PNG of more than one frame. */
  isAnimated: boolean;
  hasAlpha: boolean;
  /** One channel, or one and alpha. */
  isGrey: boolean;
  /** Whether pixels read with `colour: "own"` have an ICC profile. */
  hasProfile: boolean;
  /** Bits per channel that a result keeps if its format can. */
  depth: 8 | 16;
  /** The file has a palette. */
  isIndexed?: boolean;
  /** Chroma is 4:2:0. */
  hasHalvedColour?: boolean;
  /**
   * The colour space chunks of a PNG that `read` returns as an ICC profile. A PNG of the same samples can carry the
   * chunks instead; `note` then does not apply.
   */
  colourChunks?: { chunks: Uint8Array; note?: Note };
  /** Losses that reading causes, a sentence each. */
  notes: Note[];
  /** A new pipeline, upright, with frames of `width` x `height`. Can be called any number of times. */
  read(options?: ReadOptions): Sharp;
};

/** What an outcome says of its source. */
export const factsOf = ({ format, width, height, sizeBytes }: PictureFacts): PictureFacts => ({
  format,
  width,
  height,
  sizeBytes,
});

/**
 * Decodes every pixel and discards it. Without this check an operation finds damage only while it runs, and libvips
 * does not distinguish damage from other errors.
 * @throws broken-image when the picture cannot be decoded completely
 */
export async function checkDecodes(source: Source): Promise<void> {
  // A resize to a few pixels averages all pixels, and keeps the pages of a strip. `gamma` disables sharp's
  // shrink-on-load: at 1/8 scale libjpeg uses only DC coefficients, and damage of AC would not show.
  const image = source.read({ frames: "all" }).gamma().resize({ width: 8, height: 8, fit: "fill" });
  await image.raw().toBuffer().catch(brokenImage);
}
