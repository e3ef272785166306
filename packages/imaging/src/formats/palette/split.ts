import type { Histogram } from "./histogram.ts";

/** A group of the histogram's colours: its members' positions in `order`, and their distance from the mean. */
type Box = { start: number; end: number; mean: number[]; error: number; axis: number };

/**
 * Means of `count` groups of colours (fewer where there are fewer colours), four numbers each. Always the group with the
 * largest squared error is cut in two, at its mean, across the axis along which it is longest.
 */
export function splitColours(histogram: Histogram, count: number): Float32Array {
  const order = Uint32Array.from({ length: histogram.count }, (_, i) => i);
  const boxes = [measured(histogram, order, 0, histogram.count)];
  while (boxes.length < count) {
    const worst = boxes.reduce((a, b) => (b.error > a.error ? b : a));
    if (worst.error === 0) break;
    const middle = partition(histogram, order, worst);
    boxes[boxes.indexOf(worst)] = measured(histogram, order, worst.start, middle);
    boxes.push(measured(histogram, order, middle, worst.end));
  }
  return Float32Array.from(boxes.flatMap(({ mean }) => mean));
}

function measured({ places, weights }: Histogram, order: Uint32Array, start: number, end: number): Box {
  const sums = new Float64Array(4);
  const squares = new Float64Array(4);
  let total = 0;
  for (let i = start; i < end; i++) {
    const colour = order[i] as number;
    const weight = weights[colour] as number;
    total += weight;
    for (let k = 0; k < 4; k++) {
      const value = places[colour * 4 + k] as number;
      sums[k] = (sums[k] as number) + weight * value;
      squares[k] = (squares[k] as number) + weight * value * value;
    }
  }
  const mean = Array.from(sums, (sum) => sum / total);
  const errors = mean.map((value, k) => Math.max(0, (squares[k] as number) - value * value * total));
  const axis = errors.indexOf(Math.max(...errors));
  const error = end - start < 2 ? 0 : errors.reduce((sum, one) => sum + one, 0);
  return { start, end, mean, error: error < total * 1e-3 ? 0 : error, axis };
}

/** Moves members below the mean to the front; if rounding leaves a side empty, it moves one member over. */
function partition({ places }: Histogram, order: Uint32Array, { start, end, mean, axis }: Box): number {
  const limit = mean[axis] as number;
  let middle = start;
  for (let i = start; i < end; i++) {
    const colour = order[i] as number;
    if ((places[colour * 4 + axis] as number) >= limit) continue;
    order[i] = order[middle] as number;
    order[middle] = colour;
    middle += 1;
  }
  return Math.min(Math.max(middle, start + 1), end - 1);
}
