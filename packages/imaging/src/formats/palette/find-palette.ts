import { type Place, toColour, toPlace } from "./colour-space.ts";
import { type Histogram, unpackColour } from "./histogram.ts";
import { nearestPlace } from "./nearest.ts";
import { splitColours } from "./split.ts";

/** Colours of a palette: their places (as compared), and their bytes, red, green, blue, alpha. */
export type Palette = { places: Float32Array; colours: Uint8Array };

/** After so many rounds of k-means the error falls by less than 1 % a round. */
const rounds = 6;

/** The palette of `count` colours, or fewer, nearest to the picture's, and of those that all of them are far from; 256 at most. */
export function findPalette(histogram: Histogram, count: number): Palette {
  let places: Float32Array = splitColours(histogram, count);
  for (let round = 0; round < rounds; round++) places = moveToMeans(histogram, places);
  return withRareColours(histogram, asDrawn(histogram, places));
}

const mostColours = 256;
/** From a colour to the nearest of a palette; in few pixels too a sign that is further off is seen in another colour. */
const furthest = 48;
/** The same for a colour that lines and areas of a drawing have: `areaShare` of all pixels, or more, lie beside another of it. */
const furthestOfArea = 12;
const areaShare = 0.002;
/** In those distances. A mean score forgives a hue more than a reader does. */
const hueWeight = 2;
/** As many of about one colour are seen. */
const seenPixels = 12;

/**
 * Means follow the many pixels: colours of few that are far from all of them are added. Without them a score of 82 hid a
 * magenta number that had become brown.
 */
function withRareColours({ count, places, weights, even, colours }: Histogram, palette: Palette): Palette {
  const nearest = nearestPlace(palette.places);
  const areaPixels = areaShare * weights.reduce((sum, weight) => sum + weight, 0);
  const isFar = (i: number, others: Float32Array, other: number) => {
    const off = (k: number) => (places[i * 4 + k] as number) - (others[other * 4 + k] as number);
    const limit = (even[i] as number) >= areaPixels ? furthestOfArea : furthest;
    return off(0) ** 2 + off(3) ** 2 + hueWeight ** 2 * (off(1) ** 2 + off(2) ** 2) > limit ** 2;
  };
  const isMissing = (i: number) => {
    const [light, blue, red, alpha] = places.subarray(i * 4, i * 4 + 4) as unknown as Place;
    return isFar(i, palette.places, nearest(light, blue, red, alpha));
  };
  let missing = Array.from({ length: count }, (_, i) => i)
    .filter(isMissing)
    .sort((a, b) => (weights[b] as number) - (weights[a] as number));
  const added: number[] = [];
  while (missing.length > 0 && palette.places.length / 4 + added.length < mostColours) {
    const [most = 0] = missing;
    const others = missing.filter((i) => isFar(i, places, most));
    const pixelsOf = (some: number[]) => some.reduce((sum, i) => sum + (weights[i] as number), 0);
    if (pixelsOf(missing) - pixelsOf(others) >= seenPixels) added.push(most);
    missing = others;
  }
  const addedBytes = added.flatMap((i) => Object.values(unpackColour(colours[i] as number)));
  const addedPlaces = added.flatMap((i) => [...places.subarray(i * 4, i * 4 + 4)]);
  return {
    places: Float32Array.from([...palette.places, ...addedPlaces]),
    colours: Uint8Array.from([...palette.colours, ...addedBytes]),
  };
}

/** The picture's very colours, for a histogram that is whole. */
export function exactPalette({ count, places, colours }: Histogram): Palette {
  const bytes = new Uint8Array(count * 4);
  for (let i = 0; i < count; i++) {
    const { red, green, blue, alpha } = unpackColour(colours[i] as number);
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

/** A colour with most of a group's pixels represents the group exactly: white paper must stay white. */
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
      ? unpackColour(colour)
      : { red: found[0], green: found[1], blue: found[2], alpha: found[3] };
    bytes.set([red, green, blue, alpha], i * 4);
    toPlace(moved, i * 4, { red, green, blue, alpha });
  }
  return { places: moved, colours: bytes };
}
