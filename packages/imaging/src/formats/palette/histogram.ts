import type { Channels, Raster } from "../../raster/raster.ts";
import { toPlace } from "./colour-space.ts";

/** The colours of a picture, each once: its place, how often it is there, and its bytes (red lowest, alpha highest). */
export type Histogram = {
  count: number;
  places: Float32Array;
  weights: Float32Array;
  /** Of `weights`: pixels of this very colour, beside or below another of it. */
  even: Float32Array;
  colours: Uint32Array;
  /** Whether each colour was counted by itself. */
  isWhole: boolean;
};

/** A picture with more colours is counted more coarsely: the search for a palette takes time in proportion. */
const mostColours = 16_384;
/** Pixels that are counted of a large picture with more colours. */
const mostPixels = 2e6;

/**
 * Counts colours. If there are too many, it counts by fewer and fewer bits; each group is then represented by its most
 * frequent colour, and the colours of even areas stay exact. Colours without alpha are one.
 */
export function colourHistogram(picture: Raster<Uint8Array>): Histogram {
  const whole = wholeHistogram(picture);
  if (whole) return whole;
  for (let bits = 7; ; bits--) {
    const groups = countColours(picture, bits);
    if (groups) return { ...histogramOf(groups), isWhole: false };
  }
}

/** Counts each colour of all pixels; undefined where there are too many. */
export function wholeHistogram(picture: Raster<Uint8Array>): Histogram | undefined {
  const groups = countColours(picture, 8);
  return groups && { ...histogramOf(groups), isWhole: true };
}

type Group = { key: number; weight: number; colour: number; own: number; even: number };

function countColours(
  { width, height, channels, data }: Raster<Uint8Array>,
  bits: number,
): Map<number, Group> | undefined {
  const mask = ((0xff << (8 - bits)) & 0xff) * 0x01010101;
  const step = bits === 8 ? 1 : Math.max(1, Math.round((width * height) / mostPixels));
  let last: Group | undefined;
  let before: number | undefined;
  const groups = new Map<number, Group>();
  for (let pixel = 0; pixel < width * height; pixel += step) {
    const colour = colourAt(data, pixel * channels, channels);
    const isEven =
      colour === before || (pixel >= width && colour === colourAt(data, (pixel - width) * channels, channels));
    before = colour;
    const key = (colour & mask) >>> 0;
    const group = last?.key === key ? last : groups.get(key);
    last = group;
    if (!group) {
      groups.set(key, { key, weight: 1, colour, own: 1, even: Number(isEven) });
      if (groups.size > mostColours && bits > 3) return undefined;
    } else {
      group.weight += 1;
      // Boyer and Moore's vote: a colour that most of a group has wins it.
      if (group.colour === colour) {
        group.own += 1;
        group.even += Number(isEven);
      } else if (group.own > 0) group.own -= 1;
      else [group.colour, group.own, group.even] = [colour, 1, Number(isEven)];
    }
  }
  return groups;
}

/** As one number; an invisible pixel is black without alpha. */
function colourAt(data: Uint8Array, at: number, channels: Channels): number {
  const alpha = channels === 2 || channels === 4 ? (data[at + channels - 1] as number) : 255;
  if (alpha === 0) return 0;
  const red = data[at] as number;
  const green = channels < 3 ? red : (data[at + 1] as number);
  const blue = channels < 3 ? red : (data[at + 2] as number);
  return (red | (green << 8) | (blue << 16) | (alpha << 24)) >>> 0;
}

function histogramOf(groups: Map<number, Group>): Omit<Histogram, "isWhole"> {
  const count = groups.size;
  const histogram = {
    count,
    places: new Float32Array(count * 4),
    weights: new Float32Array(count),
    even: new Float32Array(count),
    colours: new Uint32Array(count),
  };
  let i = 0;
  for (const { weight, even, colour } of groups.values()) {
    histogram.weights[i] = weight;
    histogram.even[i] = even;
    histogram.colours[i] = colour;
    toPlace(histogram.places, i * 4, unpackColour(colour));
    i += 1;
  }
  return histogram;
}

export const unpackColour = (colour: number) => ({
  red: colour & 0xff,
  green: (colour >>> 8) & 0xff,
  blue: (colour >>> 16) & 0xff,
  alpha: colour >>> 24,
});
