import type { Size } from "@tintype/codecs/raster";
import { type Comparison, compareColours } from "./compare-colours.ts";
import type { EdgeBand } from "./edge-band.ts";
import { keepConnected } from "./keep-connected.ts";
import { addFoundColours, type ColourInputs, extendColours, squarePx, sumSureColours } from "./local-colour.ts";
import { type ColourPlanes, planeOf, type Scratch } from "./planes.ts";
import type { Profile } from "./profiles.ts";

/** A part of a picture, and the coarse matte's values over it. */
export type RefineInput = {
  size: Size;
  colour: ColourPlanes;
  band: EdgeBand;
  /** The side of a grid cell, px. */
  cellPx: number;
  /** The distance to which certain colours are extrapolated, px. */
  carryPx: number;
  scratch: Scratch;
};

/**
 * Refines alpha to full resolution. Along the outline it compares each pixel with the local colours of the subject and
 * of the background, and overrides the coarse matte where they contradict it beyond doubt.
 *
 * With mean colours F and B, alpha is the projection of the pixel onto the line between them (Y. Chuang et al., "A
 * Bayesian Approach to Digital Matting", CVPR 2001, with one variance for all channels instead of a covariance). The
 * variances bound its error: a background of leaves proves nothing, a plain wall proves a single hair.
 * @param alpha 0 or 1 for all pixels outside the band; the function fills in those of the band
 */
export function refineAlpha(
  alpha: Float32Array,
  input: RefineInput,
  profile: Pick<Profile, "doubt" | "dropsShadow">,
): void {
  const { size, colour, band } = input;
  const prior = sharpen(input);
  putIn(alpha, prior, band);
  const summing = { colour, alpha, isOpen: openPixels(input), size };
  const pyramid = sumSureColours(summing, Math.max(1, Math.ceil(Math.log2(input.carryPx / squarePx))));
  for (let round = 0; round < rounds; round += 1) {
    if (round > 0) addFoundColours(pyramid, summing, shareOfFound);
    const [front, back] = [extendColours(pyramid, "subject"), extendColours(pyramid, "background")];
    const found = compareColours(input, { prior, front, back, profile });
    putIn(alpha, averageConfidence(found, prior, input), band);
  }
  putIn(alpha, withoutSpecks(alpha, input), band);
  keepConnected(alpha, { pixels: band.pixels, prior, size });
}

const rounds = 2;
/** The weight of a pixel found nearly pure, relative to a certain one. */
const shareOfFound = 0.3;

function putIn(alpha: Float32Array, values: Float32Array, { pixels }: EdgeBand): void {
  for (let k = 0; k < pixels.length; k += 1) alpha[pixels[k] as number] = values[k] as number;
}

function openPixels({ size, band: { pixels, reach } }: RefineInput): ColourInputs["isOpen"] {
  const isOpen = new Uint8Array(size.width * size.height);
  for (let k = 0; k < pixels.length; k += 1) if ((reach[k] as number) > 0) isOpen[pixels[k] as number] = 1;
  return isOpen;
}

/**
 * The contrast applied to the coarse matte. A ramp on the grid is wider than the outline it represents: by as much as a
 * cell is larger than two pixels, within the limits of `firmGain`. At a soft outline the ramp is the softness itself,
 * and over an undecided area a translucent patch would show.
 */
const firmGain = { perCellPx: 0.5, min: 1.4, max: 2 };
const softGain = 1.15;
const undecidedGain = 2;

/** Alpha of the band from the coarse matte alone. */
function sharpen({ band: { coarse, reach, softness }, cellPx }: RefineInput): Float32Array {
  const firm = Math.min(firmGain.max, Math.max(firmGain.min, cellPx * firmGain.perCellPx));
  const alpha = new Float32Array(coarse.length);
  for (let k = 0; k < alpha.length; k += 1) {
    const value = coarse[k] as number;
    const soft = softness[k] as number;
    const gain = soft > 0 ? firm + Math.min(1, soft) * (softGain - firm) : firm - soft * (undecidedGain - firm);
    const steep = (value - 0.5) * gain + 0.5;
    alpha[k] = (reach[k] as number) <= 0 ? (value > 0.5 ? 1 : 0) : Math.min(1, Math.max(0, steep));
  }
  return alpha;
}

/** Keeps the mean confidence finite where no neighbour changes. */
const minChange = 1e-3;

/**
 * Alpha, written to `places`: confidences are averaged over neighbours, weighted by the change they propose. Noise varies
 * from pixel to pixel, a hair does not.
 */
function averageConfidence(
  { places, confidences }: Comparison,
  prior: Float32Array,
  { size, band: { pixels }, scratch }: RefineInput,
): Float32Array {
  const changes = planeOf(scratch, "changes", size.width * size.height).fill(0);
  const weighted = planeOf(scratch, "weighted", size.width * size.height).fill(0);
  for (let k = 0; k < pixels.length; k += 1) {
    const i = pixels[k] as number;
    changes[i] = Math.abs((places[k] as number) - (prior[k] as number));
    weighted[i] = (confidences[k] as number) * (changes[i] as number);
  }
  for (let k = 0; k < pixels.length; k += 1) {
    const before = prior[k] as number;
    const change = (places[k] as number) - before;
    if (change === 0) continue;
    const i = pixels[k] as number;
    const confidence = meanAround(weighted, i, size) / (meanAround(changes, i, size) + minChange);
    places[k] = before + confidence * change;
  }
  return places;
}

/** The mean of a pixel and its neighbours within the picture. */
function meanAround(plane: Float32Array, i: number, { width, height }: Size): number {
  const x = i % width;
  const y = (i - x) / width;
  const [left, right] = [x > 0 ? -1 : 0, x + 1 < width ? 1 : 0];
  const [up, down] = [y > 0 ? -1 : 0, y + 1 < height ? 1 : 0];
  let sum = 0;
  for (let dy = up; dy <= down; dy += 1) {
    let ofRow = 0;
    for (let dx = left; dx <= right; dx += 1) ofRow += plane[i + dy * width + dx] as number;
    sum += Math.fround(ofRow / (right - left + 1));
  }
  return Math.fround(sum * (1 / (down - up + 1)));
}

/** Clamps each pixel to the range of its eight neighbours: strands and gaps pass, specks do not. */
function withoutSpecks(alpha: Float32Array, { size: { width, height }, band: { pixels } }: RefineInput): Float32Array {
  const clean = new Float32Array(pixels.length);
  for (let k = 0; k < pixels.length; k += 1) {
    const i = pixels[k] as number;
    const value = alpha[i] as number;
    const x = i % width;
    const isBorder = x === 0 || x + 1 === width || i < width || i >= width * (height - 1);
    clean[k] = value;
    if (isBorder || value === alpha[i - 1] || value === alpha[i + 1]) continue;
    let min = 1;
    let max = 0;
    for (let row = i - width; row <= i + width; row += width)
      for (let at = row - 1; at <= row + 1; at += 1) {
        if (at === i) continue;
        const other = alpha[at] as number;
        if (other < min) min = other;
        if (other > max) max = other;
      }
    if (value > max) clean[k] = max;
    else if (value < min) clean[k] = min;
  }
  return clean;
}
