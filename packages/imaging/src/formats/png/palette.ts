import { coarsestStep, type QualitySteps } from "../../quality/quality-steps.ts";
import type { Judge } from "../../quality/sample.ts";
import type { Raster } from "../../raster/raster.ts";
import { writePng } from "./assemble.ts";
import type { Candidate } from "./candidate.ts";
import { evenEffort } from "./optimal-deflate.ts";
import { type Dithering, ditherToPalette } from "./palette/dither.ts";
import { exactPalette, findPalette, type Palette } from "./palette/find-palette.ts";
import type { Histogram } from "./palette/histogram.ts";

/** Colours in a palette; each step costs 4 to 10 % more bytes than the one before. */
const counts: QualitySteps<number> = [2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256];

/**
 * Half of an error is handed on: none leaves bands in every shadow, all of it costs a quarter more bytes at the same score
 * (measured on two interfaces). An error of more than 24 of 255 is the edge of something, and not handed on whole.
 * Errors below half of one are dropped: even areas take half the time. Dropping those below 2.5 would save 5 % more at the same
 * score, and rings show in soft shades.
 */
const dithering: Dithering = { strength: 0.5, most: 24, least: 0.25 };

/** The fewest colours that score at least `target`; undefined where 256 do not. Drawings need few. */
export function paletteFor(histogram: Histogram, judge: Judge, target: number): Palette | undefined {
  const score = (count: number) => paletteScore(judge, findPalette(histogram, count));
  const count = coarsestStep(counts, { target, score });
  return count === undefined ? undefined : findPalette(histogram, count);
}

/** The score of the judge's sample in the colours of a palette. */
export const paletteScore = ({ sample, likeness }: Judge, palette: Palette): number =>
  likeness(painted(sample, palette));

/** A picture of no more than 256 colours without any loss. */
export const exactPaletteCandidate = (histogram: Histogram, samples: Raster<Uint8Array>): Candidate =>
  palettePng(samples, exactPalette(histogram));

/** The picture in the colours of a palette. */
export function palettePng(samples: Raster<Uint8Array>, palette: Palette): Candidate {
  const { width, height, profile } = samples;
  const { numbers, colours } = arranged(ditherToPalette(samples, palette, dithering), palette.colours, width);
  const count = colours.length / 4;
  const depth = count <= 2 ? 1 : count <= 4 ? 2 : count <= 16 ? 4 : 8;
  const rows = packNumbers(numbers, { width, depth });
  const png = { width, height, depth, colourType: 3, rows, palette: colours, profile, filter: "none" } as const;
  const bytes = writePng({ ...png, effort: "quick" });
  const effort = evenEffort(rows.length);
  return { quickly: () => bytes, thoroughly: async () => (effort ? writePng({ ...png, effort }) : bytes) };
}

/**
 * Without colours that no pixel has. First comes the one that most rows begin or end with: it is the byte that names the
 * filter of the next row, and one match covers the rows of an even margin. Then those with alpha, since a PNG lists alphas up
 * to the last that is not full.
 */
function arranged(numbers: Uint8Array, colours: Uint8Array, width: number) {
  const [pixels, edges] = [new Uint32Array(256), new Uint32Array(256)];
  numbers.forEach((number, pixel) => {
    pixels[number] = (pixels[number] as number) + 1;
    const x = pixel % width;
    if (x === 0 || x === width - 1) edges[number] = (edges[number] as number) + 1;
  });
  const first = edges.indexOf(Math.max(...edges));
  const rank = (number: number) => (number === first ? 0 : colours[number * 4 + 3] === 255 ? 2 : 1);
  const order = Array.from(pixels.keys())
    .filter((number) => (pixels[number] as number) > 0)
    .sort((a, b) => rank(a) - rank(b));
  const places = new Uint8Array(256);
  order.forEach((number, place) => {
    places[number] = place;
  });
  return {
    numbers: numbers.map((number) => places[number] as number),
    colours: Uint8Array.from(order.flatMap((number) => [...colours.subarray(number * 4, number * 4 + 4)])),
  };
}

/** The sample as the palette shows it: with alpha only where the sample has it, for the judge looks twice at that. */
function painted(sample: Raster<Uint8Array>, { places, colours }: Palette): Raster<Uint8Array> {
  const numbers = ditherToPalette(sample, { places, colours }, dithering);
  const channels = sample.channels === 2 || sample.channels === 4 ? 4 : 3;
  const data = new Uint8Array(numbers.length * channels);
  for (let pixel = 0, to = 0; pixel < numbers.length; pixel++) {
    const from = (numbers[pixel] as number) * 4;
    for (let channel = 0; channel < channels; channel++) data[to++] = colours[from + channel] as number;
  }
  return { width: sample.width, height: sample.height, channels, data };
}

/** Several numbers a byte, the first in the highest bits; each row begins with a byte of its own. */
function packNumbers(numbers: Uint8Array, { width, depth }: { width: number; depth: 1 | 2 | 4 | 8 }): Uint8Array {
  if (depth === 8) return numbers;
  const perByte = 8 / depth;
  const rowLength = Math.ceil(width / perByte);
  const packed = new Uint8Array((rowLength * numbers.length) / width);
  for (const [pixel, number] of numbers.entries()) {
    const x = pixel % width;
    const at = ((pixel - x) / width) * rowLength + Math.floor(x / perByte);
    packed[at] = (packed[at] as number) | (number << (8 - depth * ((x % perByte) + 1)));
  }
  return packed;
}
