import type { Ribbon } from "./edge-band.ts";
import { keepConnected } from "./keep-connected.ts";
import {
  addFoundColours,
  type ColourField,
  extendColours,
  readField,
  type Summing,
  squarePx,
  sumSureColours,
} from "./local-colour.ts";
import type { ColourPlanes, PlaneSize } from "./planes.ts";
import type { Profile } from "./profiles.ts";
import { planeOf, type Scratch } from "./scratch.ts";
import { differs, shadowShare } from "./shadow.ts";

/** A part of a picture with what the grid says of it. */
export type RefineInput = {
  size: PlaneSize;
  colour: ColourPlanes;
  ribbon: Ribbon;
  /** Of the grid, px. */
  cellPx: number;
  /** How far colours are carried from where they are sure, px. */
  carryPx: number;
  scratch: Scratch;
};

/**
 * Alpha at full resolution: along the outline each pixel is held against the colours of the subject and of the
 * background near by, and the coarse matte gives way where they contradict it beyond doubt.
 *
 * Where the mean colours are F and B, alpha is the place of the pixel on the line between them (Y. Chuang et al., "A
 * Bayesian Approach to Digital Matting", CVPR 2001, with one variance for all channels instead of a covariance). How
 * far it may be off follows from their variances: a background of leaves proves nothing, a wall proves a single hair.
 * @param alpha 0 or 1 for all pixels that are not of the ribbon; those of the ribbon are put in
 */
export function refineAlpha(
  alpha: Float32Array,
  input: RefineInput,
  profile: Pick<Profile, "doubt" | "dropsShadow">,
): void {
  const { size, colour, ribbon } = input;
  const prior = sharpen(input);
  putIn(alpha, prior, ribbon);
  const summing = { colour, alpha, isOpen: openPixels(input), size };
  const pyramid = sumSureColours(summing, Math.max(1, Math.ceil(Math.log2(input.carryPx / squarePx))));
  for (let round = 0; round < rounds; round += 1) {
    if (round > 0) addFoundColours(pyramid, summing, shareOfFound);
    const [front, back] = [extendColours(pyramid, "subject"), extendColours(pyramid, "background")];
    const found = decide(input, { prior, front, back, profile });
    putIn(alpha, believe(found, prior, input), ribbon);
  }
  putIn(alpha, withoutSpecks(alpha, input), ribbon);
  keepConnected(alpha, { pixels: ribbon.pixels, prior, size });
}

const rounds = 2;
/** What a pixel that was found nearly pure says of its side's colours, beside a sure one. */
const shareOfFound = 0.3;

function putIn(alpha: Float32Array, values: Float32Array, { pixels }: Ribbon): void {
  for (let k = 0; k < pixels.length; k += 1) alpha[pixels[k] as number] = values[k] as number;
}

function openPixels({ size, ribbon: { pixels, reach } }: RefineInput): Summing["isOpen"] {
  const isOpen = new Uint8Array(size.width * size.height);
  for (let k = 0; k < pixels.length; k += 1) if ((reach[k] as number) > 0) isOpen[pixels[k] as number] = 1;
  return isOpen;
}

/** A coarse ramp is wider than the outline it stands for; where it is soft, softness is what it stands for. */
function sharpen({ ribbon: { coarse, reach, softness }, cellPx }: RefineInput): Float32Array {
  const firm = Math.min(2, Math.max(1.4, cellPx * 0.5));
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
const softGain = 1.15;
/** Half a ghost of something large helps nobody. */
const undecidedGain = 2;

type Deciding = {
  prior: Float32Array;
  front: ColourField;
  back: ColourField;
  profile: Pick<Profile, "doubt" | "dropsShadow">;
};

/** Camera noise and JPEG, as a variance of 0..1. */
const noise = 2e-4;
/** How far a pixel may lie beside the line between both colours, as a variance, before it is a mixture of neither. */
const besideLine = 0.05;
/** Below this the colours of one side are not known well enough to speak of. */
const leastKnown = 0.05;

/** Of each of the ribbon's pixels its place between both colours, 0..1, and how far that is to be believed, 0..1. */
type Found = { places: Float32Array; beliefs: Float32Array };

function decide({ size, colour, ribbon, cellPx }: RefineInput, { prior, front, back, profile }: Deciding): Found {
  const { pixels, reach, softness } = ribbon;
  const area = size.width * size.height;
  const places = prior.slice();
  const beliefs = new Float32Array(pixels.length);
  const [fore, behind] = [readField(front, { perSquare: squarePx }), readField(back, { perSquare: squarePx })];
  const [subject, background] = [fore.values, behind.values];
  const doubtAt = doubtOf(profile, cellPx);
  for (let k = 0; k < pixels.length; k += 1) {
    const soft = softness[k] as number;
    if ((reach[k] as number) <= 0 || (soft <= -1 && !profile.dropsShadow)) continue;
    const i = pixels[k] as number;
    const x = i % size.width;
    const y = (i - x) / size.width;
    fore.moveTo(x, y);
    behind.moveTo(x, y);
    const knownFront = subject[4] as number;
    const knownBack = background[4] as number;
    if (knownFront < leastKnown || knownBack < leastKnown) continue;
    const perFront = 1 / knownFront;
    const perBack = 1 / knownBack;
    const br = (background[0] as number) * perBack;
    const bg = (background[1] as number) * perBack;
    const bb = (background[2] as number) * perBack;
    const dr = (subject[0] as number) * perFront - br;
    const dg = (subject[1] as number) * perFront - bg;
    const db = (subject[2] as number) * perFront - bb;
    const r = colour[i] as number;
    const g = colour[area + i] as number;
    const b = colour[2 * area + i] as number;
    const contrast = dr * dr + dg * dg + db * db;
    const place = ((r - br) * dr + (g - bg) * dg + (b - bb) * db) / (contrast + 1e-4);
    const before = prior[k] as number;
    const found = place < 0 ? 0 : place > 1 ? 1 : place;
    if (found === before && !profile.dropsShadow) continue;
    const rr = r - br - found * dr;
    const rg = g - bg - found * dg;
    const rb = b - bb - found * db;
    const middle = 0.5 * (found + before);
    const variance =
      (middle * middle * (subject[3] as number) * perFront +
        (1 - middle) * (1 - middle) * (background[3] as number) * perBack) /
        3 +
      noise;
    const evidence = ((found - before) * (found - before) * contrast) / variance;
    const squared = evidence * evidence;
    const beside = (rr * rr + rg * rg + rb * rb) / (10 * variance + besideLine);
    let belief = (squared / (squared + doubtAt(soft, before, found) ** 4)) * Math.exp(-beside);
    if (soft < 0) belief *= Math.max(0, 1 + soft);
    // A light rim or a shirt like the wall behind it must not be eaten away where the outline is firm.
    else if (found < before) belief *= soft + (1 - soft) * Math.min(1, Math.max(0, (0.97 - before) / 0.2));
    const shadow = profile.dropsShadow
      ? shadowShare({ r, g, b }, { r: br, g: bg, b: bb, variance: (background[3] as number) * perBack }) *
        differs((r - br - dr) ** 2 + (g - bg - dg) ** 2 + (b - bb - db) ** 2, (subject[3] as number) * perFront) *
        Math.min(1, Math.max(0, (0.97 - before) / 0.2))
      : 0;
    places[k] = found * (1 - shadow);
    beliefs[k] = belief + (1 - belief) * shadow;
  }
  return { places, beliefs };
}

/**
 * Alpha, in place of `places`: neighbours that say something are believed alike. Noise contradicts itself from pixel to
 * pixel, a hair does not.
 */
function believe(
  { places, beliefs }: Found,
  prior: Float32Array,
  { size, ribbon: { pixels }, scratch }: RefineInput,
): Float32Array {
  const changes = planeOf(scratch, "changes", size.width * size.height).fill(0);
  const believed = planeOf(scratch, "believed", size.width * size.height).fill(0);
  for (let k = 0; k < pixels.length; k += 1) {
    const i = pixels[k] as number;
    changes[i] = Math.abs((places[k] as number) - (prior[k] as number));
    believed[i] = (beliefs[k] as number) * (changes[i] as number);
  }
  for (let k = 0; k < pixels.length; k += 1) {
    const before = prior[k] as number;
    const change = (places[k] as number) - before;
    if (change === 0) continue;
    const i = pixels[k] as number;
    const belief = meanAround(believed, i, size) / (meanAround(changes, i, size) + 1e-3);
    places[k] = before + belief * change;
  }
  return places;
}

/** The mean of a pixel and its neighbours, as many as there are. */
function meanAround(plane: Float32Array, i: number, { width, height }: PlaneSize): number {
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

/** No pixel is more opaque, or less, than all those around it: strands and gaps pass, specks do not. */
function withoutSpecks(
  alpha: Float32Array,
  { size: { width, height }, ribbon: { pixels } }: RefineInput,
): Float32Array {
  const clean = new Float32Array(pixels.length);
  for (let k = 0; k < pixels.length; k += 1) {
    const i = pixels[k] as number;
    const value = alpha[i] as number;
    const x = i % width;
    const isBorder = x === 0 || x + 1 === width || i < width || i >= width * (height - 1);
    clean[k] = value;
    if (isBorder || value === alpha[i - 1] || value === alpha[i + 1]) continue;
    let least = 1;
    let most = 0;
    for (let row = i - width; row <= i + width; row += width)
      for (let at = row - 1; at <= row + 1; at += 1) {
        if (at === i) continue;
        const other = alpha[at] as number;
        if (other < least) least = other;
        if (other > most) most = other;
      }
    if (value > most) clean[k] = most;
    else if (value < least) clean[k] = least;
  }
  return clean;
}

/** Standard deviations it takes to be believed half; more where a cell is no larger than a pixel and all was seen. */
function doubtOf({ doubt }: Pick<Profile, "doubt">, cellPx: number) {
  const resolved = Math.min(1.6, Math.max(1, 1.9 - 0.3 * cellPx));
  return (soft: number, before: number, found: number) =>
    (doubt.firm + Math.min(1, Math.max(0, soft)) * (doubt.soft - doubt.firm)) *
    resolved *
    (found < before ? doubt.takingAway : 1) *
    (before < 0.03 ? doubt.adding : 1);
}
