import { DomainError, maxSidePx, type OutputFormat } from "@tintype/contract";
import { formatMegapixels, framesMultiple, refusePixels } from "../../formats/limits.ts";
import { formatForSize } from "../../formats/output-format.ts";
import type { PictureLimits } from "../../task.ts";

type Result = { width: number; height: number; frames: number; format: OutputFormat; limits: PictureLimits };

/**
 * Checks, before a pixel is decoded, whether the result is allowed and in which format; a still picture too long for
 * its own format becomes PNG, and `note` says so.
 * @throws too-many-pixels, or cannot-process if a side is too long, with a message that states the value and the limit
 */
export function checkResult(result: Result): { format: OutputFormat; note?: string } {
  const { width, height, frames, format, limits } = result;
  if (Math.max(width, height) > maxSidePx)
    throw new DomainError("cannot-process", {
      detail: `The result would be ${width} x ${height} pixels; a side can have up to ${maxSidePx.toLocaleString("en")}.`,
    });
  const megapixels = (width * height) / 1e6;
  const { megapixelsOut } = limits;
  if (megapixels > megapixelsOut)
    refusePixels(
      `The result would have ${formatMegapixels(megapixels)} megapixels; your plan allows ${megapixelsOut}.`,
    );
  if (megapixels * frames > megapixelsOut * framesMultiple)
    refusePixels(
      `The ${frames} frames of the result would have ${formatMegapixels(megapixels * frames)} megapixels together; your plan allows ${megapixelsOut * framesMultiple} for an animation.`,
    );
  const written = formatForSize(format, { width, height });
  if (frames > 1 && written.format !== format)
    throw new DomainError("cannot-process", { detail: "An animation of this size cannot be written." });
  return written;
}
