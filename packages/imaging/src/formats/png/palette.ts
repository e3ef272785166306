import { coarsestStep, type QualitySteps } from "../../quality/quality-steps.ts";
import type { Judge } from "../../quality/sample.ts";
import type { Raster } from "../../raster/raster.ts";
import { writePng } from "./assemble.ts";
import type { FindCandidate, LossyPicture } from "./candidate.ts";
import { ditherToPalette } from "./palette/dither.ts";
import { exactPalette, findPalette, type Palette } from "./palette/find-palette.ts";
import type { Histogram } from "./palette/histogram.ts";

/** Colours in a palette; each step costs 4 to 10 % more bytes than the one before. */
const counts: QualitySteps<number> = [2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256];

/**
 * Half of an error is handed on: none leaves bands in every shadow, all of it costs a quarter more bytes at the same score
 * (measured on two interfaces). An error of more than 24 of 255 is the edge of something, and not handed on whole.
 */
const dithering = { strength: 0.5, reach: 24 };

/** Suits drawings: pictures of few colours need few. */
export function paletteCandidate(histogram: Histogram, { sample, likeness }: Judge): FindCandidate {
  const score = (count: number) => likeness(painted(sample, findPalette(histogram, count)));
  return (picture, target) => {
    const count = coarsestStep(counts, { target, score });
    return count === undefined ? undefined : write(picture, findPalette(histogram, count));
  };
}

/** A picture of no more than 256 colours without any loss. */
export const exactPaletteCandidate = (histogram: Histogram, picture: LossyPicture): Buffer =>
  write(picture, exactPalette(histogram));

/** The sample as the palette shows it. */
function painted(sample: Raster<Uint8Array>, palette: Palette): Raster<Uint8Array> & { channels: 4 } {
  const numbers = ditherToPalette(sample, palette, dithering);
  const data = new Uint8Array(numbers.length * 4);
  for (const [pixel, number] of numbers.entries())
    data.set(palette.colours.subarray(number * 4, number * 4 + 4), pixel * 4);
  return { width: sample.width, height: sample.height, channels: 4, data };
}

function write({ samples, level }: LossyPicture, palette: Palette): Buffer {
  const { width, height } = samples;
  const numbers = ditherToPalette(samples, palette, dithering);
  const colours = palette.colours.length / 4;
  const depth = colours <= 2 ? 1 : colours <= 4 ? 2 : colours <= 16 ? 4 : 8;
  return writePng({
    width,
    height,
    depth,
    colourType: 3,
    rows: packNumbers(numbers, { width, depth }),
    palette: palette.colours,
    profile: samples.profile,
    filter: "none",
    level,
  });
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
