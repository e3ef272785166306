import { DomainError, type TaskOptions } from "@tintype/contract";
import type { Sharp } from "sharp";
import type { Source } from "../../formats/open-source.ts";
import type { PictureLimits } from "../../task.ts";
import type { Geometry } from "./geometry.ts";

type Drawing = { geometry: Geometry; method: TaskOptions<"resize">["method"]; limits: PictureLimits };

/**
 * Draws an SVG at its new size: its lines are sharp at any size. Parts that a box cuts off are drawn and then cut.
 * @throws too-many-pixels if the drawing is much larger than the result
 */
export function resizeDrawing(source: Source, { geometry, method, limits }: Drawing): Sharp {
  const { width, height, window } = geometry;
  const drawn = {
    width: (source.width * width) / window.width,
    height: (source.height * height) / window.height,
  };
  if (Math.max(drawn.width, drawn.height) > longestDrawn || drawn.width * drawn.height > limits.megapixelsOut * 1e6)
    throw new DomainError("too-many-pixels", {
      detail: "The drawing is much longer than the box that it should fill. Try the method fit or stretch.",
    });
  return source.read().resize({ width, height, fit: method === "fill" ? "cover" : "fill" });
}

/** px; librsvg draws no more. */
const longestDrawn = 32_767;
