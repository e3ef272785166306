import { boxMean } from "./box-mean.ts";
import { keepConnected } from "./keep-connected.ts";
import { type ColourField, extendColours, readRows, squarePx } from "./local-colour.ts";
import type { ColourPlanes, PlaneSize } from "./planes.ts";
import type { Profile } from "./profiles.ts";
import { differs, shadowShare } from "./shadow.ts";

/** A part of a picture with what the grid says of each of its pixels. */
export type RefineInput = {
  size: PlaneSize;
  colour: ColourPlanes;
  /** The coarse matte, 0..1. */
  coarse: Float32Array;
  /** Above 0 where alpha is open; elsewhere it is 0 or 1. */
  reach: Float32Array;
  /** As `Outline.softness`. */
  softness: Float32Array;
  /** Of the grid the three come from, px. */
  cellPx: number;
  /** How far colours are carried from where they are sure, px. */
  carryPx: number;
};

/**
 * Alpha at full resolution: along the outline each pixel is held against the colours of the subject and of the
 * background near by, and the coarse matte gives way where they contradict it beyond doubt.
 *
 * Where the mean colours are F and B, alpha is the place of the pixel on the line between them (Y. Chuang et al., "A
 * Bayesian Approach to Digital Matting", CVPR 2001, with one variance for all channels instead of a covariance). How
 * far it may be off follows from their variances: a background of leaves proves nothing, a wall proves a single hair.
 */
export function refineAlpha(input: RefineInput, profile: Pick<Profile, "doubt" | "dropsShadow">): Float32Array {
  const prior = sharpen(input);
  const levels = Math.max(1, Math.ceil(Math.log2(input.carryPx / squarePx)));
  let alpha = prior;
  for (let round = 0; round < rounds; round += 1) {
    const { subject, background } = weigh(input, alpha, round);
    const front = extendColours(input.colour, subject, { size: input.size, levels });
    const back = extendColours(input.colour, background, { size: input.size, levels });
    alpha = decide(input, { prior, front, back, profile });
  }
  return keepConnected(withoutSpecks(alpha, input.size), prior, input.size);
}

const rounds = 2;

/** A coarse ramp is wider than the outline it stands for; where it is soft, softness is what it stands for. */
function sharpen({ coarse, reach, softness, cellPx }: RefineInput): Float32Array {
  const firm = Math.min(2, Math.max(1.4, cellPx * 0.5));
  const alpha = new Float32Array(coarse.length);
  for (let i = 0; i < alpha.length; i += 1) {
    const value = coarse[i] as number;
    const soft = softness[i] as number;
    const gain = soft > 0 ? firm + Math.min(1, soft) * (softGain - firm) : firm - soft * (undecidedGain - firm);
    const steep = (value - 0.5) * gain + 0.5;
    alpha[i] = (reach[i] as number) <= 0 ? (value > 0.5 ? 1 : 0) : Math.min(1, Math.max(0, steep));
  }
  return alpha;
}
const softGain = 1.15;
/** Half a ghost of something large helps nobody. */
const undecidedGain = 2;

/** Which pixels show the subject's and the background's colours: the sure ones, later also those found nearly pure. */
function weigh({ reach }: RefineInput, alpha: Float32Array, round: number) {
  const subject = new Float32Array(alpha.length);
  const background = new Float32Array(alpha.length);
  for (let i = 0; i < alpha.length; i += 1) {
    const value = alpha[i] as number;
    const share = (reach[i] as number) <= 0 ? 1 : round === 0 ? 0 : 0.3;
    if (value > 0.9) subject[i] = share * value;
    else if (value < 0.1) background[i] = share * (1 - value);
  }
  return { subject, background };
}

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

function decide(input: RefineInput, { prior, front, back, profile }: Deciding): Float32Array {
  const { size, colour, reach, softness } = input;
  const { width, height } = size;
  const area = width * height;
  const places = prior.slice();
  const beliefs = new Float32Array(area);
  const fore = readRows(front, { width, perSquare: squarePx });
  const behind = readRows(back, { width, perSquare: squarePx });
  const doubtAt = doubtOf(profile, input.cellPx);
  for (let y = 0, i = 0; y < height; y += 1) {
    fore.moveTo(y);
    behind.moveTo(y);
    for (let x = 0; x < width; x += 1, i += 1) {
      const soft = softness[i] as number;
      if ((reach[i] as number) <= 0 || (soft <= -1 && !profile.dropsShadow)) continue;
      const knownFront = fore.at(4, x);
      const knownBack = behind.at(4, x);
      if (knownFront < leastKnown || knownBack < leastKnown) continue;
      const perFront = 1 / knownFront;
      const perBack = 1 / knownBack;
      const br = behind.at(0, x) * perBack;
      const bg = behind.at(1, x) * perBack;
      const bb = behind.at(2, x) * perBack;
      const dr = fore.at(0, x) * perFront - br;
      const dg = fore.at(1, x) * perFront - bg;
      const db = fore.at(2, x) * perFront - bb;
      const r = colour[i] as number;
      const g = colour[area + i] as number;
      const b = colour[2 * area + i] as number;
      const contrast = dr * dr + dg * dg + db * db;
      const place = ((r - br) * dr + (g - bg) * dg + (b - bb) * db) / (contrast + 1e-4);
      const before = prior[i] as number;
      const found = place < 0 ? 0 : place > 1 ? 1 : place;
      const rr = r - br - found * dr;
      const rg = g - bg - found * dg;
      const rb = b - bb - found * db;
      const middle = 0.5 * (found + before);
      const variance =
        (middle * middle * fore.at(3, x) * perFront + (1 - middle) * (1 - middle) * behind.at(3, x) * perBack) / 3 +
        noise;
      const evidence = ((found - before) * (found - before) * contrast) / variance;
      const squared = evidence * evidence;
      const beside = (rr * rr + rg * rg + rb * rb) / (10 * variance + besideLine);
      let belief = (squared / (squared + doubtAt(soft, before, found) ** 4)) * Math.exp(-beside);
      if (soft < 0) belief *= Math.max(0, 1 + soft);
      // A light rim or a shirt like the wall behind it must not be eaten away where the outline is firm.
      else if (found < before) belief *= soft + (1 - soft) * Math.min(1, Math.max(0, (0.97 - before) / 0.2));
      const shadow = profile.dropsShadow
        ? shadowShare({ r, g, b }, { r: br, g: bg, b: bb, variance: behind.at(3, x) * perBack }) *
          differs((r - br - dr) ** 2 + (g - bg - dg) ** 2 + (b - bb - db) ** 2, fore.at(3, x) * perFront) *
          Math.min(1, Math.max(0, (0.97 - before) / 0.2))
        : 0;
      places[i] = found * (1 - shadow);
      beliefs[i] = belief + (1 - belief) * shadow;
    }
  }
  return believe(places, beliefs, { prior, size });
}

type Believing = { prior: Float32Array; size: PlaneSize };

// In the loops over pixels below and above there is no `map` and no list: each number of them would be an object, and
// clearing them away took a third of the time.

/** In place of `places`: neighbours that say something are believed alike: noise contradicts itself from pixel to pixel, a hair does not. */
function believe(places: Float32Array, beliefs: Float32Array, { prior, size }: Believing): Float32Array {
  const scratch = new Float32Array(beliefs.length);
  const change = new Float32Array(beliefs.length);
  for (let i = 0; i < beliefs.length; i += 1) {
    change[i] = Math.abs((places[i] as number) - (prior[i] as number));
    beliefs[i] = (beliefs[i] as number) * (change[i] as number);
  }
  for (const plane of [beliefs, change]) boxMean(plane, { size, radius: 1, scratch, target: plane });
  for (let i = 0; i < beliefs.length; i += 1) {
    const belief = (beliefs[i] as number) / ((change[i] as number) + 1e-3);
    const before = prior[i] as number;
    places[i] = before + belief * ((places[i] as number) - before);
  }
  return places;
}

/** No pixel is more opaque, or less, than all those around it: strands and gaps pass, specks do not. */
function withoutSpecks(alpha: Float32Array, { width, height }: PlaneSize): Float32Array {
  const clean = alpha.slice();
  for (let y = 1; y < height - 1; y += 1)
    for (let x = 1, i = y * width + 1; x < width - 1; x += 1, i += 1) {
      const value = alpha[i] as number;
      let least = 1;
      let most = 0;
      for (let row = i - width; row <= i + width; row += width)
        for (let at = row - 1; at <= row + 1; at += 1) {
          if (at === i) continue;
          const other = alpha[at] as number;
          if (other < least) least = other;
          if (other > most) most = other;
        }
      if (value > most) clean[i] = most;
      else if (value < least) clean[i] = least;
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
