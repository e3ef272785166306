import { DomainError } from "@tintype/contract";
import type { Sharp } from "sharp";
import type { ColourSpace } from "../colour/in-colour.ts";
import type { PictureFacts } from "../task.ts";

export type ReadOptions = {
  /** "all" gives a moving picture as sharp's tall strip of pages; for a still one it equals "first". */
  frames?: "all" | "first";
  colour?: ColourSpace;
};

/** A picture opened, and checked by its header against the caller's limits. */
export type Source = PictureFacts & {
  path: string;
  /** Frames of a moving picture, pages of a TIFF, pictures in a HEIC; 1 for all else. */
  pages: number;
  /** A GIF or WebP of more than one frame. */
  isAnimated: boolean;
  hasAlpha: boolean;
  /** One channel besides alpha. */
  isGrey: boolean;
  /** Whether "own" pixels carry a colour profile. */
  hasProfile: boolean;
  /** Bits a channel that the result should keep where its format can. */
  depth: 8 | 16;
  /** A JPEG that stores colour at half size. */
  hasHalvedColour?: boolean;
  /**
   * The chunks by which a PNG describes its colours, where `read` gives them as a profile: a PNG of the same samples may carry
   * them instead, and `note` then does not apply.
   */
  colourChunks?: { chunks: Uint8Array; note?: string };
  /** Losses by reading, a sentence each. */
  notes: string[];
  /** A fresh pipeline, upright, `width` x `height` a frame. Any number of them may be had. */
  read(options?: ReadOptions): Sharp;
};

/**
 * Decodes every pixel and keeps none. An operation finds damage only during its work, and the errors of libvips do not
 * name its cause; this check does.
 * @throws broken-image when the picture cannot be decoded to its end
 */
export async function checkDecodes(source: Source): Promise<void> {
  // Shrunk to a few pixels: each is a mean, which needs all pixels. A strip of frames keeps its pages. Gamma keeps sharp from
  // shrinking while it decodes: at an eighth of its size a JPEG shows no damage beyond each block's mean.
  const image = source.read({ frames: "all" }).gamma().resize({ width: 8, height: 8, fit: "fill" });
  await image
    .raw()
    .toBuffer()
    .catch((cause: unknown) => {
      throw new DomainError("broken-image", { cause });
    });
}
