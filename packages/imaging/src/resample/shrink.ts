import { emptyRaster, type RowReader, type RowWriter, rowsOf, wholeOf, writeInto } from "@tintype/codecs/raster";
import { prepareKernel } from "./kernel.ts";
import { partOf, type Steps } from "./steps.ts";
import { lanczosTaps } from "./taps.ts";
import { halfwayTarget, type PixelWindow, type ResampleTarget } from "./window.ts";

/** Grey, RGB or RGBA of 8 bits: the kernel's input. */
export type Shrinkable = RowReader & { channels: 1 | 3 | 4 };

export function isShrinkable(source: RowReader): source is Shrinkable {
  const { full, channels } = source;
  return full === 255 && channels !== 2;
}

/**
 * Shrinks a picture, or keeps its size on one axis, by Lanczos-3 in linear light with premultiplied alpha. Equals
 * `lanczosSteps` in light "linear" within one level wherever neither limits a halo, at five times its speed (12 MP to
 * 1600 x 1200 px in 45 to 50 ms on one core). Yields every few milliseconds. Buffers up to 96 rows of the source in
 * 16 bits.
 */
export function* shrinkSteps(source: Shrinkable, target: ResampleTarget, sink: RowWriter): Steps<void> {
  const { window = wholeOf(source) } = target;
  const halfway = halfwayTarget({ ...target, window });
  if (!halfway) return yield* shrinkOnce(source, { ...target, window }, sink);
  const nearer = emptyRaster(source, halfway);
  yield* partOf(shrinkOnce(source, halfway, writeInto(nearer)), { from: 0, to: 0.9 });
  const rest = { ...rowsOf(nearer), channels: source.channels };
  yield* partOf(shrinkSteps(rest, { ...target, window: undefined }, sink), { from: 0.9, to: 1 });
}

/** Samples read between two yields: about 5 ms. */
const samplesPerStep = 4e6;

type Once = ResampleTarget & { window: PixelWindow };

function* shrinkOnce(source: Shrinkable, { width, height, window }: Once, sink: RowWriter): Steps<void> {
  const { channels } = source;
  const across = lanczosTaps({ size: source.width, start: window.left, length: window.width, target: width });
  const down = lanczosTaps({ size: source.height, start: window.top, length: window.height, target: height });
  const kernel = prepareKernel({ width: source.width, channels, across, down });
  // Taps may extend beyond the last row, with a weight of 0.
  const readRow = (y: number) => source.readRow(Math.min(y, source.height - 1));
  let next = 0;
  let samples = 0;
  for (let y = 0; y < height; y++) {
    for (next = Math.max(next, kernel.firstPair(y)); next <= kernel.lastPair(y); next++) {
      kernel.loadPair(next, readRow);
      samples += source.width * channels * 2;
    }
    sink.writeRow(kernel.makeRow(y), y);
    if (samples < samplesPerStep) continue;
    samples = 0;
    yield (y + 1) / height;
  }
}
