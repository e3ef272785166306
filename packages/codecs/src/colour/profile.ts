import {
  type CodePoints,
  otherCurve,
  otherPrimaries,
  type Primaries,
  srgbPrimaries,
  type ToneCurve,
} from "./code-points.ts";

/**
 * Makes an ICC profile (version 4, matrix/TRC) from a video codec's colour code points, which no other picture format
 * stores. Undefined for sRGB.
 */
export function profileOf(codes: CodePoints): Uint8Array | undefined {
  const primaries = otherPrimaries(codes);
  const curve = otherCurve(codes);
  return primaries || curve ? describeColours({ primaries, curve }) : undefined;
}

type Colours = {
  /** Default: sRGB's. */
  primaries?: Primaries | undefined;
  curve?: ToneCurve | undefined;
  /** A single-channel profile, which has only the curve. */
  isGrey?: boolean;
};

/** An ICC profile (version 4) with these primaries and this transfer function. */
export function describeColours({ primaries = srgbPrimaries, curve, isGrey = false }: Colours): Uint8Array {
  const response = curve ? curveTag(curve) : srgbCurveTag();
  const tags: [name: string, bytes: Uint8Array][] = [
    ["desc", textTag("Named by code points")],
    ["cprt", textTag("Public domain")],
    ["wtpt", xyzTag(d50)],
  ];
  if (isGrey) return assemble([...tags, ["kTRC", response]], "GRAY");
  const { red, green, blue } = colorants(primaries);
  return assemble([
    ...tags,
    ["rXYZ", xyzTag(red)],
    ["gXYZ", xyzTag(green)],
    ["bXYZ", xyzTag(blue)],
    ["rTRC", response],
    ["gTRC", response],
    ["bTRC", response],
  ]);
}

type Triple = [number, number, number];
type Matrix = [Triple, Triple, Triple];

/** The white point of the profile connection space. */
const d50: Triple = [0.9642, 1, 0.8249];
/** The Bradford matrix: from XYZ to cone responses (ICC.1, annex E). */
const bradford: Matrix = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
];

/** XYZ of the three primaries at full intensity, adapted from their own white point to D50. */
function colorants({ red, green, blue, white }: Primaries): { red: Triple; green: Triple; blue: Triple } {
  const columns = [red, green, blue].map(([x, y]): Triple => [x / y, 1, (1 - x - y) / y]);
  const [r, g, b] = columns as Matrix; // a map of three
  const whiteXyz: Triple = [white[0] / white[1], 1, (1 - white[0] - white[1]) / white[1]];
  const strength = apply(invert(transpose([r, g, b])), whiteXyz);
  const [from, to] = [apply(bradford, whiteXyz), apply(bradford, d50)];
  const adapt = (xyz: Triple, factor: number): Triple => {
    const [l, m, s] = apply(bradford, xyz);
    const cones: Triple = [(l * to[0]) / from[0], (m * to[1]) / from[1], (s * to[2]) / from[2]];
    const [x, y, z] = apply(invert(bradford), cones);
    return [x * factor, y * factor, z * factor];
  };
  return { red: adapt(r, strength[0]), green: adapt(g, strength[1]), blue: adapt(b, strength[2]) };
}

const apply = ([a, b, c]: Matrix, v: Triple): Triple => [dot(a, v), dot(b, v), dot(c, v)];
const dot = (a: Triple, b: Triple) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Triple, b: Triple): Triple => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const transpose = ([a, b, c]: Matrix): Matrix => [
  [a[0], b[0], c[0]],
  [a[1], b[1], c[1]],
  [a[2], b[2], c[2]],
];

function invert([a, b, c]: Matrix): Matrix {
  const determinant = dot(a, cross(b, c));
  const scaled = ([x, y, z]: Triple): Triple => [x / determinant, y / determinant, z / determinant];
  return transpose([scaled(cross(b, c)), scaled(cross(c, a)), scaled(cross(a, b))]);
}

/** ICC.1:2022, section 10: a tag is a type signature, four zero bytes, and its values; real numbers are s15Fixed16. */
function tag(type: string, length: number): { bytes: Uint8Array; view: DataView } {
  const bytes = new Uint8Array(Math.ceil((8 + length) / 4) * 4);
  bytes.set(new TextEncoder().encode(type));
  return { bytes, view: new DataView(bytes.buffer) };
}

const fixed = (value: number) => Math.round(value * 65536);

function numbersTag(type: string, { head = [], values }: { head?: number[]; values: number[] }): Uint8Array {
  const { bytes, view } = tag(type, head.length * 2 + values.length * 4);
  for (const [i, value] of head.entries()) view.setUint16(8 + i * 2, value);
  for (const [i, value] of values.entries()) view.setInt32(8 + head.length * 2 + i * 4, fixed(value));
  return bytes;
}

const xyzTag = (values: Triple) => numbersTag("XYZ ", { values });

/** IEC 61966-2-1 as a parametric curve of function type 3: g, a, b, c, d. */
const srgbCurveTag = () =>
  numbersTag("para", { head: [3, 0], values: [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045] });

/** Samples of a curve that no ICC parametric function describes: more than the levels of 10 bits. */
const samples = 4096;

function curveTag(curve: ToneCurve): Uint8Array {
  if ("gamma" in curve) return numbersTag("para", { head: [0, 0], values: [curve.gamma] });
  const { bytes, view } = tag("curv", 4 + samples * 2);
  view.setUint32(8, samples);
  for (let i = 0; i < samples; i++) view.setUint16(12 + i * 2, Math.round(65535 * curve.at(i / (samples - 1))));
  return bytes;
}

/** One text in one language, in UTF-16 (multiLocalizedUnicodeType). */
function textTag(text: string): Uint8Array {
  const { bytes, view } = tag("mluc", 20 + text.length * 2);
  view.setUint32(8, 1);
  view.setUint32(12, 12);
  bytes.set(new TextEncoder().encode("enUS"), 16);
  view.setUint32(20, text.length * 2);
  view.setUint32(24, 28);
  for (let i = 0; i < text.length; i++) view.setUint16(28 + i * 2, text.charCodeAt(i));
  return bytes;
}

/** The header of 128 bytes, the tag table, and the tags. */
function assemble(tags: [name: string, bytes: Uint8Array][], space: "RGB " | "GRAY" = "RGB "): Uint8Array {
  const tagsAt = 128 + 4 + tags.length * 12;
  const profile = new Uint8Array(tags.reduce((sum, [, bytes]) => sum + bytes.length, tagsAt));
  const view = new DataView(profile.buffer);
  const write = (text: string, at: number) => profile.set(new TextEncoder().encode(text), at);
  view.setUint32(0, profile.length);
  view.setUint32(8, 0x04400000); // version 4.4
  write(`mntr${space}XYZ `, 12);
  view.setUint16(24, 2025); // a fixed date, 1 January: equal inputs give identical files
  view.setUint16(26, 1);
  view.setUint16(28, 1);
  write("acsp", 36);
  for (const [i, value] of d50.entries()) view.setInt32(68 + i * 4, fixed(value));
  view.setUint32(128, tags.length);
  let at = tagsAt;
  for (const [i, [name, bytes]] of tags.entries()) {
    write(name, 132 + i * 12);
    view.setUint32(136 + i * 12, at);
    view.setUint32(140 + i * 12, bytes.length);
    profile.set(bytes, at);
    at += bytes.length;
  }
  return profile;
}

/**
 * Whether bytes are an RGB ICC profile (ICC.1, section 7.2): the profile size first, "RGB " at 16, "acsp" at 36. A
 * damaged profile, or one for other channels, would change the colours.
 */
export function isRgbProfile(profile: Uint8Array): boolean {
  if (profile.length < 132) return false;
  const signatureAt = (at: number) => String.fromCharCode(...profile.subarray(at, at + 4));
  const size = new DataView(profile.buffer, profile.byteOffset).getUint32(0);
  return size <= profile.length && signatureAt(16) === "RGB " && signatureAt(36) === "acsp";
}
