import {
  describeColours,
  isHighRange,
  otherCurve,
  otherPrimaries,
  type Primaries,
  type ToneCurve,
  toLight,
} from "@tintype/codecs/colour";
import { pngChunks, pngSignature, profileChunk } from "./container.ts";

/** Colour space chunks (PNG, third edition, 11.3.2) other than iCCP and sBIT. */
const colourChunks = new Set(["gAMA", "cHRM", "sRGB", "cICP", "mDCV", "cLLI"]);

export type PngColours = {
  /** The same file with iCCP in place of the colour space chunks: libvips honours only iCCP. */
  bytes: Uint8Array;
  /** The colour space chunks: a PNG of the same samples can carry them in place of the profile. */
  chunks: Uint8Array;
  /** HDR (see `isHighRange` of colour/code-points.ts): highlights are lost unless the chunks are kept. */
  isHighRange: boolean;
};

/**
 * Converts the colour space chunks that libvips ignores into an ICC profile. Undefined for sRGB, and for a file whose
 * iCCP takes precedence. Precedence (PNG, third edition, 4.3): cICP, iCCP, sRGB, then gAMA and cHRM.
 */
export function pngColours(bytes: Uint8Array): PngColours | undefined {
  const chunks = [...pngChunks(bytes)];
  const dataOf = (wanted: string) => chunks.find(({ type }) => type === wanted)?.data;
  const header = dataOf("IHDR");
  if (!header) return undefined;
  const codes = codePoints(dataOf("cICP"), header[8] ?? 8);
  if (!codes && (dataOf("iCCP") || dataOf("sRGB"))) return undefined;
  const colours = codes ?? { primaries: chromaticities(dataOf("cHRM")), curve: gamma(dataOf("gAMA")) };
  const isPlain = !colours.primaries && !colours.curve;
  if (isPlain && !(codes && dataOf("iCCP"))) return undefined;
  const isGrey = header[9] === 0 || header[9] === 4;
  const profile = isPlain ? [] : [profileChunk(describeColours({ ...colours, isGrey }))];
  const [first, ...others] = chunks.filter(({ type }) => type !== "iCCP" && !colourChunks.has(type));
  if (!first) return undefined;
  return {
    bytes: Buffer.concat([pngSignature, first.whole, ...profile, ...others.map(({ whole }) => whole)]),
    chunks: Buffer.concat(chunks.filter(({ type }) => colourChunks.has(type)).map(({ whole }) => whole)),
    isHighRange: codes?.isHighRange ?? false,
  };
}

/** Replaces iCCP by these colour space chunks. The samples must be those that the chunks describe. */
export function withColourChunks(png: Uint8Array, chunks: Uint8Array): Uint8Array {
  const [header, ...others] = [...pngChunks(png)].filter(({ type }) => type !== "iCCP" && !colourChunks.has(type));
  if (!header) return png;
  return Buffer.concat([pngSignature, header.whole, chunks, ...others.map(({ whole }) => whole)]);
}

type Colours = { primaries: Primaries | undefined; curve: ToneCurve | undefined };

/**
 * cICP (PNG, third edition, 11.3.2.6; ITU-T H.273): ColourPrimaries, TransferCharacteristics, MatrixCoefficients (0 in
 * a PNG: RGB), VideoFullRangeFlag. Undefined for an invalid chunk, which is ignored.
 */
function codePoints(data: Uint8Array | undefined, depth: number): (Colours & { isHighRange: boolean }) | undefined {
  if (data?.length !== 4 || data[2] !== 0) return undefined;
  const codes = { primaries: data[0] ?? 2, transfer: data[1] ?? 2 };
  const curve = otherCurve(codes);
  return {
    primaries: otherPrimaries(codes),
    curve: data[3] === 0 ? inNarrowRange(curve ?? { at: toLight }, depth) : curve,
    isHighRange: isHighRange(codes),
  };
}

/** Narrow range (ITU-R BT.2100, table 9): in 8 bits, black is 16 and white is 235. */
function inNarrowRange(curve: ToneCurve, depth: number): ToneCurve {
  const unit = 2 ** (depth - 8) / (2 ** depth - 1);
  const light = "gamma" in curve ? (signal: number) => signal ** curve.gamma : curve.at;
  return { at: (signal) => light(Math.min(1, Math.max(0, (signal / unit - 16) / 219))) };
}

/** gAMA near 1/2.2, within encoders' rounding: encoders write it for sRGB. */
const srgbGamma = { from: 0.45, to: 0.459 };
/** Values outside are errors: no display or camera comes near them. */
const soundGamma = { from: 0.1, to: 10 };

function gamma(data: Uint8Array | undefined): ToneCurve | undefined {
  if (data?.length !== 4) return undefined;
  const value = new DataView(data.buffer, data.byteOffset).getUint32(0) / 100_000;
  if (value >= srgbGamma.from && value <= srgbGamma.to) return undefined;
  return value < soundGamma.from || value > soundGamma.to ? undefined : { gamma: 1 / value };
}

/** Within this distance, chromaticities are those of sRGB but for rounding. */
const sameChromaticity = 0.003;

function chromaticities(data: Uint8Array | undefined): Primaries | undefined {
  if (data?.length !== 32) return undefined;
  const view = new DataView(data.buffer, data.byteOffset);
  const values = Array.from({ length: 8 }, (_, i) => view.getInt32(i * 4) / 100_000);
  const srgb = [0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06];
  if (values.every((value, i) => Math.abs(value - (srgb[i] ?? 0)) <= sameChromaticity)) return undefined;
  const [wx = 0, wy = 0, rx = 0, ry = 0, gx = 0, gy = 0, bx = 0, by = 0] = values;
  // Collinear primaries, or a white point outside their triangle, do not define a colour space.
  const side = (ax: number, ay: number, cx: number, cy: number) => (cx - ax) * (wy - ay) - (cy - ay) * (wx - ax);
  const sides = [side(rx, ry, gx, gy), side(gx, gy, bx, by), side(bx, by, rx, ry)];
  const isInside = sides.every((one) => one > 1e-4) || sides.every((one) => one < -1e-4);
  if (!isInside || values.some((value) => value < 0 || value > 1) || Math.min(wy, ry, gy, by) < 1e-3) return undefined;
  return { red: [rx, ry], green: [gx, gy], blue: [bx, by], white: [wx, wy] };
}
