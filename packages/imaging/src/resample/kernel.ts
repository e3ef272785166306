import { toLight } from "@tintype/codecs/colour";
import {
  colourGroup,
  createMemoryLayout,
  fullLight,
  fullWeight,
  greyGroup,
  lights as lightTable,
  startShrink,
  tablesEnd,
  values as valueTable,
} from "@tintype/codecs/kernels";
import type { Samples } from "@tintype/codecs/raster";
import type { Taps } from "./taps.ts";

type Shape = { width: number; channels: 1 | 3 | 4; across: Taps; down: Taps };

/**
 * A kernel set up for one 8-bit picture: grey, RGB or RGBA. `loadPair` takes the source's rows 2 * pair and the one
 * after; `makeRow` gives row y of the target, in an array that the next call overwrites. Pairs are loaded in ascending
 * order, and row y needs all up to `lastPair(y)`.
 */
export function prepareKernel({ width, channels, across, down }: Shape) {
  const rowLength = width * channels;
  const targetLength = across.first.length * channels;
  const group = channels === 1 ? greyGroup : colourGroup;
  const acrossTaps = inGroups(across, { group, size: width });
  const downTaps = inPairs(down);
  const [acrossWeights, downWeights] = [packWeights(acrossTaps), packWeights(downTaps)];
  const layout = createMemoryLayout();
  layout.take(tablesEnd);
  const at = {
    upper: layout.take(rowLength),
    lower: layout.take(rowLength),
    starts: layout.take(across.first.length * 4),
    acrossWeights: layout.take(acrossWeights.byteLength),
    downWeights: layout.take(downWeights.byteLength),
    rows: layout.take(downTaps.count * 2),
    blended: layout.take(rowLength * 2),
    output: layout.take(targetLength),
    ring: Array.from({ length: downTaps.count / 2 }, () => layout.take(rowLength * 4)),
  };
  const memory = layout.allocate();
  const bytes = new Uint8Array(memory.buffer);
  const words = new Int16Array(memory.buffer);
  const integers = new Int32Array(memory.buffer);
  writeTables(words.subarray(lightTable / 2), bytes.subarray(valueTable));
  words.set(acrossWeights, at.acrossWeights / 2);
  words.set(downWeights, at.downWeights / 2);
  integers.set(
    acrossTaps.first.map((first) => first * channels * 2),
    at.starts / 4,
  );

  const kernel = startShrink(memory);
  const load = channels === 4 ? kernel.loadAlpha : kernel.loadOpaque;
  const resample = channels === 1 ? kernel.acrossOne : channels === 3 ? kernel.acrossThree : kernel.acrossFour;
  const groups = acrossTaps.count / group;
  const pairs = downTaps.count / 2;
  // A row with fewer pixels than a group of taps is padded with its last pixel: the kernel reads all taps of a group.
  const missing = Math.max(0, acrossTaps.count - width);
  const rowEnd = at.blended / 2 + rowLength;
  const firstPair = (y: number) => (down.first[y] as number) >> 1;
  const ringAt = (pair: number) => at.ring[pair % pairs] as number;
  const output = bytes.subarray(at.output, at.output + targetLength);
  return {
    firstPair,
    lastPair: (y: number) => firstPair(y) + pairs - 1,
    loadPair(pair: number, readRow: (y: number) => Samples): void {
      bytes.set(readRow(pair * 2), at.upper);
      bytes.set(readRow(pair * 2 + 1), at.lower);
      load(at.upper, at.lower, ringAt(pair), at.upper + rowLength);
    },
    makeRow(y: number): Uint8Array {
      for (let i = 0; i < pairs; i++) integers[at.rows / 4 + i] = ringAt(firstPair(y) + i);
      const weights = at.downWeights + y * downTaps.count * 2;
      kernel.blendRows(at.rows, pairs, weights, at.blended, at.blended + rowLength * 2);
      for (let i = 0; i < missing; i++) words.copyWithin(rowEnd + i * channels, rowEnd - channels, rowEnd);
      resample(at.blended, at.starts, at.acrossWeights, groups, at.output, at.output + targetLength);
      return output;
    },
  };
}

/** The same taps in whole groups, each of them inside the row if it is long enough. */
function inGroups(taps: Taps, { group, size }: { group: number; size: number }): Taps {
  const count = Math.ceil(taps.count / group) * group;
  return moved(taps, { first: taps.first.map((pixel) => Math.max(0, Math.min(pixel, size - count))), count });
}

/** The same taps starting at even rows, because rows are stored in pairs. */
function inPairs(taps: Taps): Taps {
  return moved(taps, { first: taps.first.map((row) => row & ~1), count: 2 * (Math.floor(taps.count / 2) + 1) });
}

/** The same weights for taps that start earlier, padded with zeros. */
function moved(taps: Taps, { first, count }: Omit<Taps, "weights">): Taps {
  const weights = new Float32Array(first.length * count);
  for (let i = 0; i < first.length; i++) {
    const start = i * count + (taps.first[i] as number) - (first[i] as number);
    for (let tap = 0; tap < taps.count; tap++) weights[start + tap] = taps.weights[i * taps.count + tap] as number;
  }
  return { first, weights, count };
}

/** The linear light of each stored value, and the inverse: the nearest stored value of each light level. */
function writeTables(lights: Int16Array, values: Uint8Array): void {
  let from = 0;
  for (let value = 0; value < 256; value++) {
    lights[value] = Math.round(toLight(value / 255) * fullLight);
    // Up to the start of the next value: 256 powers instead of 24,000, which took longer than a small picture.
    const end = value < 255 ? Math.ceil(toLight((value + 0.5) / 255) * fullLight) : fullLight + 1;
    values.fill(value, from, end);
    from = end;
  }
}

/**
 * Weights in fixed point, as fractions of `fullWeight`. The rounding error is added to the largest tap, so that flat
 * areas stay exact.
 */
function packWeights({ weights, count }: Taps): Int16Array {
  const packed = new Int16Array(weights.length);
  for (let start = 0; start < packed.length; start += count) {
    let left = fullWeight;
    let heaviest = start;
    for (let i = start; i < start + count; i++) {
      const weight = Math.round((weights[i] as number) * fullWeight);
      packed[i] = weight;
      left -= weight;
      if (weight > (packed[heaviest] as number)) heaviest = i;
    }
    packed[heaviest] = (packed[heaviest] as number) + left;
  }
  return packed;
}
