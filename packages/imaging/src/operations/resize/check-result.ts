import { DomainError, maxSidePx, type Note, type OutputFormat } from "@tintype/contract";
import { framesMultiple, refusePixels, roundMegapixels } from "../../formats/limits.ts";
import { formatForSize } from "../../formats/output-format.ts";
import type { PictureLimits } from "../../task.ts";

type Result = { width: number; height: number; frames: number; format: OutputFormat; limits: PictureLimits };

/**
 * Checks, before a pixel is decoded, whether the result is allowed and in which format; a still picture too long for
 * its own format becomes PNG, and `note` says so.
 * @throws too-many-pixels, or cannot-process if a side is too long, with the value and the limit
 */
export function checkResult(result: Result): { format: OutputFormat; note?: Note } {
  const { width, height, frames, format, limits } = result;
  if (Math.max(width, height) > maxSidePx)
    throw new DomainError("cannot-process", { reason: { code: "result-too-long", width, height, limit: maxSidePx } });
  const megapixels = (width * height) / 1e6;
  const { megapixelsOut } = limits;
  if (megapixels > megapixelsOut)
    refusePixels({ code: "result-too-large", megapixels: roundMegapixels(megapixels), limit: megapixelsOut });
  if (megapixels * frames > megapixelsOut * framesMultiple)
    refusePixels({
      code: "result-animation-too-large",
      frames,
      megapixels: roundMegapixels(megapixels * frames),
      limit: megapixelsOut * framesMultiple,
    });
  const written = formatForSize(format, { width, height });
  if (frames > 1 && written.format !== format)
    throw new DomainError("cannot-process", { reason: { code: "animation-not-written" } });
  return written;
}
