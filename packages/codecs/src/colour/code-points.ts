/** The colour code points of a video codec: ITU-T H.273, tables 2 and 3. */
export type CodePoints = { primaries: number; transfer: number };

type Chromaticity = readonly [x: number, y: number];
export type Primaries = { red: Chromaticity; green: Chromaticity; blue: Chromaticity; white: Chromaticity };

const d65: Chromaticity = [0.3127, 0.329];
export const srgbPrimaries: Primaries = { red: [0.64, 0.33], green: [0.3, 0.6], blue: [0.15, 0.06], white: d65 };

const knownPrimaries = new Map<number, Primaries>([
  [5, { red: [0.64, 0.33], green: [0.29, 0.6], blue: [0.15, 0.06], white: d65 }], // PAL
  [6, { red: [0.63, 0.34], green: [0.31, 0.595], blue: [0.155, 0.07], white: d65 }], // NTSC
  [7, { red: [0.63, 0.34], green: [0.31, 0.595], blue: [0.155, 0.07], white: d65 }], // SMPTE 240M
  [9, { red: [0.708, 0.292], green: [0.17, 0.797], blue: [0.131, 0.046], white: d65 }], // BT.2020
  [11, { red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06], white: [0.314, 0.351] }], // cinema P3
  [12, { red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06], white: d65 }], // Display P3
]);

/** The primaries, if they differ from sRGB's. Unspecified and unknown ones are read as sRGB. */
export const otherPrimaries = ({ primaries }: CodePoints) => knownPrimaries.get(primaries);

/** A transfer function from signal to linear light, both 0..1: a power function, or one to be sampled. */
export type ToneCurve = { gamma: number } | { at(signal: number): number };

/**
 * The transfer function, if it differs from sRGB's. The camera transfer functions of television (1, 6, 14, 15) count as
 * sRGB: they describe the camera, but stills marked with them are meant for a display, and browsers render them so.
 */
export function otherCurve({ transfer }: CodePoints): ToneCurve | undefined {
  if (transfer === 4) return { gamma: 2.2 };
  if (transfer === 5) return { gamma: 2.8 };
  if (transfer === 8) return { gamma: 1 };
  if (transfer === 16) return { at: (signal) => onOrdinaryScreen(perceptualQuantizer(signal)) };
  if (transfer === 18) return { at: (signal) => onOrdinaryScreen(hybridLogGamma(signal)) };
  return undefined;
}

/** Whether the picture is HDR (PQ or HLG): an SDR display cannot show its highlights. */
export const isHighRange = ({ transfer }: CodePoints) => transfer === 16 || transfer === 18;

/** PQ (SMPTE ST 2084): the luminance of a signal 0..1, cd/m2. */
function perceptualQuantizer(signal: number): number {
  const [m1, m2, c1, c2, c3] = [2610 / 16384, (2523 / 4096) * 128, 3424 / 4096, (2413 / 4096) * 32, (2392 / 4096) * 32];
  const root = signal ** (1 / m2);
  return 10_000 * (Math.max(0, root - c1) / (c2 - c3 * root)) ** (1 / m1);
}

/** HLG (ITU-R BT.2100): the luminance on a display of 1,000 cd/m2, with the system gamma applied to each channel separately. */
function hybridLogGamma(signal: number): number {
  const a = 0.17883277;
  const [b, c] = [1 - 4 * a, 0.5 - a * Math.log(4 * a)];
  const scene = signal <= 0.5 ? signal ** 2 / 3 : (Math.exp((signal - c) / a) + b) / 12;
  return 1000 * scene ** 1.2;
}

/** Diffuse white in HDR (ITU-R BT.2408), cd/m2. */
const paperWhite = 203;
/** Light up to this level is unchanged; brighter light is compressed into the remaining range. */
const knee = 0.7;

function onOrdinaryScreen(candela: number): number {
  const light = candela / paperWhite;
  return light <= knee ? light : 1 - (1 - knee) * Math.exp((knee - light) / (1 - knee));
}
