import { type Histogram, unpackColour } from "./histogram.ts";
import { nearestPlace } from "./nearest.ts";
import { type Palette, quantizeColours } from "./quantize-colours.ts";

/**
 * The palette of at most `count` colours nearest to the picture's, plus the colours that are far from all of these; at
 * most 256.
 */
export const findPalette = (histogram: Histogram, count: number): Palette =>
  withRareColours(histogram, quantizeColours(histogram, count));

const maxColours = 256;
/** The largest distance from a colour to the nearest of the palette. Beyond it, even a small mark visibly changes colour. */
const furthest = 48;
/** The same for colours of lines and areas in drawings: at least `areaShare` of all pixels adjoin another pixel of the colour. */
const furthestOfArea = 12;
const areaShare = 0.002;
/** The weight of chroma in these distances: readers are more sensitive to a changed hue than a mean score is. */
const hueWeight = 2;
/** This many pixels of similar colours are visible. */
const seenPixels = 12;

/**
 * Means follow the majority of pixels: this adds rare colours that are far from all of them. Without it a score of 82
 * hid a magenta number that had turned brown.
 */
function withRareColours({ count, places, weights, even, colours }: Histogram, palette: Palette): Palette {
  const nearest = nearestPlace(palette.places);
  const areaPixels = areaShare * weights.reduce((sum, weight) => sum + weight, 0);
  const isFar = (i: number, others: Float32Array, other: number) => {
    const [at, from] = [i * 4, other * 4];
    const light = (places[at] as number) - (others[from] as number);
    const blue = (places[at + 1] as number) - (others[from + 1] as number);
    const red = (places[at + 2] as number) - (others[from + 2] as number);
    const alpha = (places[at + 3] as number) - (others[from + 3] as number);
    const limit = (even[i] as number) >= areaPixels ? furthestOfArea : furthest;
    return light * light + alpha * alpha + hueWeight ** 2 * (blue * blue + red * red) > limit ** 2;
  };
  const isMissing = (i: number) => {
    const at = i * 4;
    const found = nearest(
      places[at] as number,
      places[at + 1] as number,
      places[at + 2] as number,
      places[at + 3] as number,
    );
    return isFar(i, palette.places, found);
  };
  let missing = Array.from({ length: count }, (_, i) => i)
    .filter(isMissing)
    .sort((a, b) => (weights[b] as number) - (weights[a] as number));
  const added: number[] = [];
  while (missing.length > 0 && palette.places.length / 4 + added.length < maxColours) {
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

/** The picture's exact colours. The histogram must be whole. */
export function exactPalette({ count, places, colours }: Histogram): Palette {
  const bytes = new Uint8Array(count * 4);
  for (let i = 0; i < count; i++) {
    const { red, green, blue, alpha } = unpackColour(colours[i] as number);
    bytes.set([red, green, blue, alpha], i * 4);
  }
  return { places, colours: bytes };
}
