import { DomainError } from "@tintype/contract";
import type { Source } from "./source.ts";

/**
 * Decodes every pixel and keeps none. An operation finds damage only during its work, and the errors of libvips do not
 * name its cause; this check does.
 * @throws broken-image when the picture cannot be decoded to its end
 */
export async function checkDecodes(source: Source): Promise<void> {
  // Shrunk to a few pixels: each is a mean, which needs all pixels. A strip of frames keeps its pages.
  const image = source.read({ frames: "all" }).resize({ width: 8, height: 8, fit: "fill" });
  await image
    .raw()
    .toBuffer()
    .catch((cause: unknown) => {
      throw new DomainError("broken-image", { cause });
    });
}
