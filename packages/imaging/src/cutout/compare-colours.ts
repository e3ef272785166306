import type { Size } from "@tintype/codecs/raster";
import type { EdgeBand } from "./edge-band.ts";
import { type ColourField, readField, squarePx } from "./local-colour.ts";
import type { ColourPlanes } from "./planes.ts";
import type { Profile } from "./profiles.ts";

type Compared = { size: Size; colour: ColourPlanes; band: EdgeBand; cellPx: number };

type Sides = {
  /** Alpha of the band's pixels from the coarse matte alone, 0..1. */
  prior: Float32Array;
  front: ColourField;
  back: ColourField;
  profile: Pick<Profile, "doubt" | "dropsShadow">;
};

/**
 * For each pixel of the band: its projection onto the line between both mean colours, 0..1, and the confidence in it, 0..1.
 */
export type Comparison = { places: Float32Array; confidences: Float32Array };

// These constants come from measurement, not from a paper. Each comment gives the errors of alpha and of the colour
// fringe with the constant halved and doubled, in thousandths: the mean over the three rendered cut-outs of testing/ at
// 256 px (4 px a cell) and the three profiles. With the values as set, they are 25.88 and 13.23.

/** Camera noise and JPEG error, as a variance of 0..1 samples. Halved 25.62 and 13.10, doubled 26.35 and 13.47. */
const noise = 2e-4;
/** Below this weight a side's colours count as unknown. Halved 25.73 and 13.16, doubled 26.22 and 13.40. */
const minKnown = 0.05;
/**
 * Added to the squared distance of the mean colours, to keep the projection finite when they are equal. Changes the
 * errors by less than 0.01 either way.
 */
const minContrast = 1e-4;
/**
 * A pixel far from the line between both colours is a mixture of neither. Its confidence falls to 1/e at this many
 * variances plus `besideLine`. Halved 25.94 and 13.27, doubled 25.80 and 13.19.
 */
const besideVariances = 10;
/** Squared distance, of 0..1 samples. Halved 26.17 and 13.38, doubled 25.69 and 13.14. */
const besideLine = 0.05;
/**
 * From this alpha on, a firm outline protects what the coarse matte considers opaque. At 0.9: 25.98 and 13.29; at 1:
 * 25.83 and 13.21.
 */
const opaqueFrom = 0.97;
/** The protection fades over this much alpha below `opaqueFrom`. Halved 25.82 and 13.21, doubled 26.00 and 13.29. */
const opaqueFade = 0.2;
/**
 * Below this alpha the coarse matte is empty, and `doubt.adding` applies. Halved 25.84 and 13.21, doubled 25.97 and
 * 13.28.
 */
const absentBelow = 0.03;

/** Compares each open pixel of the band with the local mean colours of the subject and of the background. */
export function compareColours(
  { size, colour, band, cellPx }: Compared,
  { prior, front, back, profile }: Sides,
): Comparison {
  const { pixels, reach, softness } = band;
  const area = size.width * size.height;
  const places = prior.slice();
  const confidences = new Float32Array(pixels.length);
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
    if (knownFront < minKnown || knownBack < minKnown) continue;
    // The line from the background's mean colour to the subject's, and the pixel's projection onto it.
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
    const found = unit(((r - br) * dr + (g - bg) * dg + (b - bb) * db) / (contrast + minContrast));
    const before = prior[k] as number;
    if (found === before && !profile.dropsShadow) continue;
    // The disagreement with the coarse matte and the distance from the line, both in variances.
    const middle = 0.5 * (found + before);
    const variance =
      (middle * middle * (subject[3] as number) * perFront +
        (1 - middle) * (1 - middle) * (background[3] as number) * perBack) /
        3 +
      noise;
    const evidence = ((found - before) * (found - before) * contrast) / variance;
    const beside =
      squared(r - br - found * dr, g - bg - found * dg, b - bb - found * db) /
      (besideVariances * variance + besideLine);
    const doubt = doubtAt(soft, before, found);
    const confidence = ofOutline(confidenceIn(evidence, beside, doubt), soft, before, found);
    const shadow = profile.dropsShadow
      ? shadowShare({ r, g, b }, { r: br, g: bg, b: bb, variance: (background[3] as number) * perBack }) *
        differs(squared(r - br - dr, g - bg - dg, b - bb - db), (subject[3] as number) * perFront) *
        notOpaque(before)
      : 0;
    places[k] = found * (1 - shadow);
    confidences[k] = confidence + (1 - confidence) * shadow;
  }
  return { places, confidences };
}

const unit = (value: number) => (value < 0 ? 0 : value > 1 ? 1 : value);
const squared = (r: number, g: number, b: number) => r * r + g * g + b * b;

/** 0.5 where the disagreement is `doubt` standard deviations; lower the farther the pixel is from the line. */
function confidenceIn(evidence: number, beside: number, doubt: number): number {
  const evidenceSquared = evidence * evidence;
  return (evidenceSquared / (evidenceSquared + doubt ** 4)) * Math.exp(-beside);
}

/**
 * No confidence over an area that the network leaves undecided. A firm outline keeps a light rim, or a shirt of the wall's
 * colour.
 */
function ofOutline(confidence: number, soft: number, before: number, found: number): number {
  if (soft < 0) return confidence * Math.max(0, 1 + soft);
  return found < before ? confidence * (soft + (1 - soft) * notOpaque(before)) : confidence;
}

/** 1 for alpha that the coarse matte leaves open, 0 for alpha that it considers opaque. */
const notOpaque = (before: number) => Math.min(1, Math.max(0, (opaqueFrom - before) / opaqueFade));

/**
 * Where a grid cell is about as large as a pixel, the network has resolved the outline itself: colours must then
 * disagree by up to `max` times as much. From cells of 3 px on the factor is 1, so the measurements above do not
 * exercise it.
 */
const resolvedFactor = { max: 1.6, atZeroPx: 1.9, perPx: 0.3 };

/** The disagreement, in standard deviations, at which the confidence is one half. */
function doubtOf({ doubt }: Pick<Profile, "doubt">, cellPx: number) {
  const resolved = Math.min(resolvedFactor.max, Math.max(1, resolvedFactor.atZeroPx - resolvedFactor.perPx * cellPx));
  return (soft: number, before: number, found: number) =>
    (doubt.firm + Math.min(1, Math.max(0, soft)) * (doubt.soft - doubt.firm)) *
    resolved *
    (found < before ? doubt.takingAway : 1) *
    (before < absentBelow ? doubt.adding : 1);
}

type Colour = { r: number; g: number; b: number };

/** Noise and JPEG error in shadows, as a variance of 0..1 samples. */
const codingNoise = 1e-3;

/**
 * How much a pixel resembles the background in shadow, 0..1: the same hue, darker or equal. A shadow scales all
 * channels alike. The deepest black has no hue and does not count as shadow.
 */
function shadowShare({ r, g, b }: Colour, back: Colour & { variance: number }): number {
  const square = back.r * back.r + back.g * back.g + back.b * back.b;
  const light = (r * back.r + g * back.g + b * back.b) / (square + 1e-6);
  if (light < 0.15 || light > 1.03) return 0;
  const beside = (r - light * back.r) ** 2 + (g - light * back.g) ** 2 + (b - light * back.b) ** 2;
  return Math.exp(-beside / (4 * (back.variance / 3 + codingNoise)));
}

/**
 * The probability, 0..1, that a squared distance between colours is not noise, given the variance summed over three
 * channels.
 */
const differs = (square: number, variance: number): number =>
  1 - Math.exp(-square / (2 * (variance / 3) + 10 * codingNoise));
