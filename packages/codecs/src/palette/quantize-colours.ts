import { type ColourPoint, toColour, toPlace } from "./colour-space.ts";
import { unpackColour } from "./histogram.ts";
import { nearestPlace } from "./nearest.ts";

/** The colours of a palette: as places, and as RGBA bytes. */
export type Palette = { places: Float32Array; colours: Uint8Array };

/** Distinct colours: places (four numbers each), pixel counts, and packed bytes (red lowest, alpha highest). */
export type WeightedColours = {
  count: number;
  places: Float32Array;
  weights: Float32Array | Float64Array;
  colours: Uint32Array;
};

/** After this many rounds of k-means, the error falls by less than 1 % per round. */
const rounds = 6;

/**
 * The palette of at most `count` colours with about the least squared error: groups of colours are split where the
 * error is largest, then refined by k-means (Lloyd, 1957).
 */
export function quantizeColours(colours: WeightedColours, count: number): Palette {
  let places: Float32Array = splitColours(colours, count);
  for (let round = 0; round < rounds; round++) places = moveToMeans(colours, places);
  return toDominantColours(colours, places);
}

/** A group of colours: its range in `order`, its mean, and its squared error. */
type Box = { start: number; end: number; mean: number[]; error: number; axis: number };

/**
 * The means of at most `count` groups of colours, four numbers each. Repeatedly splits the group with the largest
 * squared error at its mean, along the axis with the largest error.
 */
function splitColours(all: WeightedColours, count: number): Float32Array {
  const order = Uint32Array.from({ length: all.count }, (_, i) => i);
  const boxes = [measured(all, order, 0, all.count)];
  while (boxes.length < count) {
    const worst = boxes.reduce((a, b) => (b.error > a.error ? b : a));
    if (worst.error === 0) break;
    const middle = partition(all, order, worst);
    boxes[boxes.indexOf(worst)] = measured(all, order, worst.start, middle);
    boxes.push(measured(all, order, middle, worst.end));
  }
  return Float32Array.from(boxes.flatMap(({ mean }) => mean));
}

function measured({ places, weights }: WeightedColours, order: Uint32Array, start: number, end: number): Box {
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

/** Moves members below the mean to the front. If rounding leaves a side empty, one member moves over. */
function partition({ places }: WeightedColours, order: Uint32Array, { start, end, mean, axis }: Box): number {
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

/** One round of k-means (Lloyd, 1957): each place moves to the weighted mean of the colours nearest to it. */
function moveToMeans({ count, places: colours, weights }: WeightedColours, places: Float32Array): Float32Array {
  const nearest = nearestPlace(places);
  const sums = new Float64Array(places.length);
  const totals = new Float64Array(places.length / 4);
  for (let i = 0; i < count; i++) {
    const at = i * 4;
    const to = nearest(
      colours[at] as number,
      colours[at + 1] as number,
      colours[at + 2] as number,
      colours[at + 3] as number,
    );
    const weight = weights[i] as number;
    totals[to] = (totals[to] as number) + weight;
    for (let k = 0; k < 4; k++) sums[to * 4 + k] = (sums[to * 4 + k] as number) + weight * (colours[at + k] as number);
  }
  return places.map((place, i) => {
    const total = totals[i >> 2] as number;
    return total > 0 ? (sums[i] as number) / total : place;
  });
}

/** The majority colour of a group represents it exactly: white paper must stay white. */
function toDominantColours({ count, places: own, weights, colours }: WeightedColours, places: Float32Array): Palette {
  const nearest = nearestPlace(places);
  const groups = Array.from({ length: places.length / 4 }, () => ({ total: 0, most: 0, colour: 0 }));
  for (let i = 0; i < count; i++) {
    const at = i * 4;
    const group =
      groups[nearest(own[at] as number, own[at + 1] as number, own[at + 2] as number, own[at + 3] as number)];
    const weight = weights[i] as number;
    if (!group) continue;
    group.total += weight;
    if (weight > group.most) [group.most, group.colour] = [weight, colours[i] as number];
  }
  const bytes = new Uint8Array(places.length);
  const moved = new Float32Array(places.length);
  for (const [i, { total, most, colour }] of groups.entries()) {
    const isRuled = most > total / 2;
    const found = toColour([...places.subarray(i * 4, i * 4 + 4)] as ColourPoint);
    const { red, green, blue, alpha } = isRuled
      ? unpackColour(colour)
      : { red: found[0], green: found[1], blue: found[2], alpha: found[3] };
    bytes.set([red, green, blue, alpha], i * 4);
    toPlace(moved, i * 4, { red, green, blue, alpha });
  }
  return { places: moved, colours: bytes };
}
