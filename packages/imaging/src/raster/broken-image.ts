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
  throw new DomainError("too-many-pixels", { cause, reason: { code: "drawing-too-long", limit: maxDrawnPx } });
}
