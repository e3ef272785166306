import { type Place, toColour, toPlace } from "./colour-space.ts";
import { bytesOf, type Histogram } from "./histogram.ts";
import { nearestPlace } from "./nearest.ts";
import { splitColours } from "./split.ts";

/** Colours of a palette: their places (as compared), and their bytes, red, green, blue, alpha. */
export type Palette = { places: Float32Array; colours: Uint8Array };

/** After so many rounds of k-means the error falls by less than 1 % a round. */
const rounds = 6;

/** The palette of `count` colours, or fewer, nearest to the picture's. */
export function findPalette(histogram: Histogram, count: number): Palette {
  let places: Float32Array = splitColours(histogram, count);
  for (let round = 0; round < rounds; round++) places = moveToMeans(histogram, places);
  return asDrawn(histogram, places);
}

/** The picture's very colours, for a histogram that is whole. */
export function exactPalette({ count, places, colours }: Histogram): Palette {
  const bytes = new Uint8Array(count * 4);
  for (let i = 0; i < count; i++) {
    const { red, green, blue, alpha } = bytesOf(colours[i] as number);
    bytes.set([red, green, blue, alpha], i * 4);
  }
  return { places, colours: bytes };
}

/** One round of k-means (Lloyd, 1957): every place moves to the weighted mean of the colours nearest to it. */
function moveToMeans({ count, places: colours, weights }: Histogram, places: Float32Array): Float32Array {
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

/** A colour that has most of a group's pixels stands for it exactly: white paper must stay white. */
function asDrawn({ count, places: own, weights, colours }: Histogram, places: Float32Array): Palette {
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
    const found = toColour([...places.subarray(i * 4, i * 4 + 4)] as Place);
    const { red, green, blue, alpha } = isRuled
      ? bytesOf(colour)
      : { red: found[0], green: found[1], blue: found[2], alpha: found[3] };
    bytes.set([red, green, blue, alpha], i * 4);
    toPlace(moved, i * 4, { red, green, blue, alpha });
  }
  return { places: moved, colours: bytes };
}
