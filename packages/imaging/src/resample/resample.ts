import { emptyRaster, type RowReader, type RowWriter, rowsOf, wholeOf, writeInto } from "@tintype/codecs/raster";
import { lanczosSteps } from "./lanczos.ts";
import { isShrinkable, shrinkSteps } from "./shrink.ts";
import { partOf, type Steps } from "./steps.ts";
import type { ResampleTarget } from "./window.ts";

/**
 * Resizes a picture for viewing: it shrinks in linear light and enlarges in stored values, where Lanczos' overshoot
 * looks the same on both sides of an edge. If one axis shrinks and the other grows, shrinking comes first.
 */
export function* resampleSteps(source: RowReader, target: ResampleTarget, sink: RowWriter): Steps<void> {
  const { width, height, window = wholeOf(source) } = target;
  const [narrower, lower] = [width < window.width, height < window.height];
  const [wider, higher] = [width > window.width, height > window.height];
  if (!narrower && !lower) return yield* lanczosSteps(source, target, sink);
  if (!wider && !higher) return yield* smaller(source, target, sink);
  const shrunk = {
    width: narrower ? width : source.width,
    height: lower ? height : source.height,
    window: {
      ...(narrower ? { left: window.left, width: window.width } : { left: 0, width: source.width }),
      ...(lower ? { top: window.top, height: window.height } : { top: 0, height: source.height }),
    },
  };
  const grown = {
    width,
    height,
    window: {
      ...(narrower ? { left: 0, width } : { left: window.left, width: window.width }),
      ...(lower ? { top: 0, height } : { top: window.top, height: window.height }),
    },
  };
  const between = emptyRaster(source, shrunk);
  yield* partOf(smaller(source, shrunk, writeInto(between)), { from: 0, to: 0.5 });
  yield* partOf(lanczosSteps(rowsOf(between), grown, sink), { from: 0.5, to: 1 });
}

function smaller(source: RowReader, target: ResampleTarget, sink: RowWriter): Steps<void> {
  if (isShrinkable(source)) return shrinkSteps(source, target, sink);
  return lanczosSteps(source, { ...target, light: "linear" }, sink);
}
