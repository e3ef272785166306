import type { Channels, Raster } from "../raster/raster.ts";
import { toPlace } from "./colour-space.ts";

/** The distinct colours of a picture: place, pixel count, and packed bytes (red lowest, alpha highest). */
export type Histogram = {
  count: number;
  places: Float32Array;
  weights: Float32Array;
  /** The part of `weights` whose left or upper neighbour has the same colour. */
  even: Float32Array;
  colours: Uint32Array;
  /** Whether each colour was counted separately. */
  isWhole: boolean;
};

/** With more colours, similar ones are grouped: the time of the palette search is proportional to their number. */
const maxColours = 16_384;
/** The number of pixels sampled from a large picture with more colours. */
const maxPixels = 2e6;

/**
 * Counts colours. If there are too many, it groups them by ever fewer bits. Each group is represented by its most
 * frequent colour, so that the colours of flat areas stay exact. All fully transparent pixels count as one colour.
 */
export function colourHistogram(picture: Raster<Uint8Array>): Histogram {
  const whole = wholeHistogram(picture);
  if (whole) return whole;
  for (let bits = 7; ; bits--) {
    const groups = countColours(picture, bits);
    if (groups) return { ...histogramOf(groups), isWhole: false };
  }
}

/** Counts each colour of all pixels; undefined if there are too many. */
export function wholeHistogram(picture: Raster<Uint8Array>): Histogram | undefined {
  const groups = countColours(picture, 8);
  return groups && { ...histogramOf(groups), isWhole: true };
}

/** Groups of colours in order of first occurrence. */
type Groups = { count: number; weights: Int32Array; colours: Int32Array; even: Int32Array };

function countColours({ width, height, channels, data }: Raster<Uint8Array>, bits: number): Groups | undefined {
  const mask = (((0xff << (8 - bits)) & 0xff) * 0x01010101) | 0;
  const step = bits === 8 ? 1 : Math.max(1, Math.round((width * height) / maxPixels));
  const table = groupTable();
  const { weights, colours, even, own } = table;
  let last = -1;
  let lastKey = 0;
  let before = ~colourAt(data, 0, channels);
  for (let pixel = 0; pixel < width * height; pixel += step) {
    const colour = colourAt(data, pixel * channels, channels);
    const isEven =
      colour === before || (pixel >= width && colour === colourAt(data, (pixel - width) * channels, channels));
    before = colour;
    const key = colour & mask;
    const group = last >= 0 && key === lastKey ? last : table.find(key);
    last = group;
    lastKey = key;
    const weight = weights[group] as number;
    weights[group] = weight + 1;
    const votes = own[group] as number;
    if (weight === 0) {
      if (table.size() > maxColours && bits > 3) return undefined;
      colours[group] = colour;
      own[group] = 1;
      even[group] = Number(isEven);
      // Boyer-Moore majority vote: a colour with the majority of a group wins it.
    } else if (colours[group] === colour) {
      own[group] = votes + 1;
      even[group] = (even[group] as number) + Number(isEven);
    } else if (votes > 0) own[group] = votes - 1;
    else {
      colours[group] = colour;
      own[group] = 1;
      even[group] = Number(isEven);
    }
    if (step > 1 || colours[group] !== colour) continue;
    // Flat areas: skip the rest of the run.
    const end = runEnd(data, pixel * channels, channels) / channels;
    const rest = end - pixel - 1;
    weights[group] = (weights[group] as number) + rest;
    own[group] = (own[group] as number) + rest;
    even[group] = (even[group] as number) + rest;
    pixel = end - 1;
  }
  return { count: table.size(), weights, colours, even };
}

/** The end of the run of equal pixels that starts at `at`. */
function runEnd(data: Uint8Array, at: number, channels: Channels): number {
  let next = at + channels;
  for (; next < data.length; next += channels) {
    if (data[next] !== data[at]) break;
    if (channels > 1 && data[next + 1] !== data[at + 1]) break;
    if (channels > 2 && data[next + 2] !== data[at + 2]) break;
    if (channels > 3 && data[next + 3] !== data[at + 3]) break;
  }
  return next;
}

/** Groups by key in an open-addressing hash table: a `Map` takes five times as long. */
function groupTable() {
  // Attack: with a known multiplier, a file could place all its colours in one slot.
  const multiplier = (Math.random() * 2 ** 32) | 1;
  const slots = new Int32Array(tableSize).fill(-1);
  const keys = new Int32Array(tableSize);
  const [weights, colours, even, own] = [0, 1, 2, 3].map(() => new Int32Array(maxGroups)) as [
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  let size = 0;
  /** The group of a key; a new group has weight 0. */
  function find(key: number): number {
    let slot = Math.imul(key, multiplier) >>> (32 - tableBits);
    for (;;) {
      const group = slots[slot] as number;
      if (group < 0) break;
      if (keys[slot] === key) return group;
      slot = (slot + 1) & (tableSize - 1);
    }
    slots[slot] = size;
    keys[slot] = key;
    return size++;
  }
  return { weights, colours, even, own, find, size: () => size };
}

/** At three bits per channel there are at most 4096 groups. */
const maxGroups = maxColours + 1;
const tableBits = 16;
const tableSize = 1 << tableBits;

/** A packed colour as a signed integer; 0 for fully transparent pixels. */
function colourAt(data: Uint8Array, at: number, channels: Channels): number {
  const alpha = channels === 2 || channels === 4 ? (data[at + channels - 1] as number) : 255;
  if (alpha === 0) return 0;
  const red = data[at] as number;
  const green = channels < 3 ? red : (data[at + 1] as number);
  const blue = channels < 3 ? red : (data[at + 2] as number);
  return red | (green << 8) | (blue << 16) | (alpha << 24);
}

function histogramOf({ count, weights, colours, even }: Groups): Omit<Histogram, "isWhole"> {
  const places = new Float32Array(count * 4);
  for (let i = 0; i < count; i++) toPlace(places, i * 4, unpackColour(colours[i] as number));
  return {
    count,
    places,
    weights: Float32Array.from(weights.subarray(0, count)),
    even: Float32Array.from(even.subarray(0, count)),
    colours: Uint32Array.from(colours.subarray(0, count), (colour) => colour >>> 0),
  };
}

export const unpackColour = (colour: number) => ({
  red: colour & 0xff,
  green: (colour >>> 8) & 0xff,
  blue: (colour >>> 16) & 0xff,
  alpha: colour >>> 24,
});
