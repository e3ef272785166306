import { DomainError } from "@tintype/contract";
import type { Source } from "./source.ts";

/**
 * Decodes every pixel and keeps none. An operation finds damage only while it works, and what libvips throws then does
 * not say whose fault it was; this does.
 * @throws broken-image when the picture cannot be decoded to its end
 */
export async function checkDecodes(source: Source): Promise<void> {
  // Shrunk to a few pixels: each is an average, for which all have to be there. A strip of frames keeps its pages.
  const image = source.read({ frames: "all" }).resize({ width: 8, height: 8, fit: "fill" });
  await image
    .raw()
    .toBuffer()
    .catch((cause: unknown) => {
      throw new DomainError("broken-image", { cause });
    });
}
