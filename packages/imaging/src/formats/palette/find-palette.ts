import type { Place } from "./colour-space.ts";
import { type Histogram, unpackColour } from "./histogram.ts";
import { nearestPlace } from "./nearest.ts";
import { type Palette, quantizeColours } from "./quantize-colours.ts";

/** The palette of `count` colours, or fewer, nearest to the picture's, and of those that all of them are far from; 256 at most. */
export const findPalette = (histogram: Histogram, count: number): Palette =>
  withRareColours(histogram, quantizeColours(histogram, count));

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
