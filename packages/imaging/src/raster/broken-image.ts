import { DomainError } from "@tintype/contract";

/** Pixels per side; librsvg renders no more. */
export const maxDrawnPx = 32_767;
/** sharp's and libvips' error for an SVG that is longer. */
const isTooLongToDraw = (cause: unknown) =>
  cause instanceof Error && cause.message.includes(`${maxDrawnPx}x${maxDrawnPx} pixel limit`);

/**
 * For `catch` behind a decoder: whatever it throws means that the picture is broken, or a drawing too long.
 * @throws broken-image; too-many-pixels for an SVG that is longer than `longestDrawn`
 */
export function brokenImage(cause: unknown): never {
  if (!isTooLongToDraw(cause)) throw new DomainError("broken-image", { cause });
  const limit = maxDrawnPx.toLocaleString("en-US");
  throw new DomainError("too-many-pixels", {
    cause,
    detail: `The drawing is too wide or too high to be rendered at its own size; the limit is ${limit} pixels per side. Resize can make it smaller.`,
  });
}
