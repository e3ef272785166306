import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { asWords, type IntegerSamples } from "@tintype/codecs/raster";
import { box, uint } from "../heif/boxes.ts";
import {
  type Codestream,
  type Component,
  componentBytes,
  componentsAt,
  countPoints,
  countSamples,
  sizeAt,
} from "./codestream.ts";

type Decoder = {
  /** Allocated in the module's memory. */
  getEncodedBuffer(sizeBytes: number): Uint8Array;
  decode(): void;
  getFrameInfo(): { width: number; height: number; bitsPerSample: number; componentCount: number };
  getDecodedBuffer(): Uint8ClampedArray;
  delete(): void;
};
type OpenJpeg = { J2KDecoder: new () => Decoder };

export type Plane = { width: number; height: number; data: IntegerSamples };

/**
 * Decodes components of a codestream by OpenJPEG: unsigned samples, each component in its own depth and size.
 *
 * The package's binding returns three components of 8 bits, or one of up to 16. Any other picture is decoded once for
 * each component, from a JP2 whose component mapping selects it.
 * @throws Error if it is truncated or corrupt
 */
export async function decodeJp2(
  codestream: Uint8Array,
  { size, wanted }: { size: Codestream; wanted: number[] },
): Promise<Plane[]> {
  const errors: string[] = [];
  const openJpeg = await loadOpenJpeg((line) => {
    if (line.startsWith("[ERROR]")) errors.push(line);
  });
  const planes = new Map<number, Plane>();
  for (const group of groupsOf(size, wanted)) {
    const samples = decodeGroup(openJpeg, codestream, { size, group });
    if (errors.length > 0 || !samples) throw new Error(errors.join("; ") || "OpenJPEG gives no samples");
    for (const [place, component] of group.entries()) planes.set(component, planeIn(samples, { size, group, place }));
  }
  return wanted.flatMap((component) => planes.get(component) ?? []);
}

async function loadOpenJpeg(print: (line: string) => void): Promise<OpenJpeg> {
  const require = createRequire(import.meta.url);
  const wasmBinary = await readFile(require.resolve("@cornerstonejs/codec-openjpeg/decodewasm"));
  // The package has no types.
  const create = require("@cornerstonejs/codec-openjpeg/decodewasmjs") as (options: object) => Promise<OpenJpeg>;
  return create({ wasmBinary, print, printErr: print });
}

/** Three components of up to 8 bits without subsampling are decoded together. */
function groupsOf({ components }: Codestream, wanted: number[]): number[][] {
  const unique = [...new Set(wanted)];
  const together = unique.slice(0, 3);
  const isPlain = (index: number) => {
    const { bits, across, down } = components[index] ?? { bits: 16, across: 1, down: 1 };
    return bits <= 8 && across === 1 && down === 1;
  };
  if (together.length < 3 || !together.every(isPlain)) return unique.map((index) => [index]);
  return [together, ...unique.slice(3).map((index) => [index])];
}

type Group = { size: Codestream; group: number[] };

function decodeGroup({ J2KDecoder }: OpenJpeg, codestream: Uint8Array, { size, group }: Group) {
  reserve(J2KDecoder, size);
  const decoder = new J2KDecoder();
  try {
    const file = wrap(codestream, { size, group });
    decoder.getEncodedBuffer(file.length).set(file);
    decoder.decode();
    const { width, height, bitsPerSample, componentCount } = decoder.getFrameInfo();
    const grid = sizeAt(size, { across: 1, down: 1 });
    const isWhole = width === grid.width && height === grid.height && componentCount === group.length;
    const bytes = decoder.getDecodedBuffer();
    if (!isWhole || bytes.length === 0) return undefined;
    return bitsPerSample > 8 ? asWords(new Uint8Array(bytes.buffer)) : new Uint8Array(bytes.buffer);
  } finally {
    decoder.delete();
  }
}

/**
 * The binding reads as many samples of a component as the reference grid has points, even if the component is
 * subsampled. This grows the module's memory, which never shrinks, so that those reads stay within it.
 */
function reserve(J2KDecoder: OpenJpeg["J2KDecoder"], size: Codestream): void {
  if (size.components.every(({ across, down }) => across === 1 && down === 1)) return;
  const spare = new J2KDecoder();
  spare.getEncodedBuffer(Math.min(8 * countSamples(size) + 6 * countPoints(size), maxReservedBytes));
  spare.delete();
}

/** The module's memory is limited to 2 GiB. */
const maxReservedBytes = 1_900_000_000;

/** The samples of a group are interleaved, in rows without padding. */
function planeIn(samples: IntegerSamples, { size, group, place }: Group & { place: number }): Plane {
  const component = size.components[group[place] ?? 0] ?? { bits: 8, isSigned: false, across: 1, down: 1 };
  const extent = sizeAt(size, component);
  const count = extent.width * extent.height;
  if (group.length === 1) return { ...extent, data: samples.slice(0, count) };
  const data = new Uint8Array(count);
  for (let i = 0, from = place; i < count; i++, from += group.length) data[i] = samples[from] ?? 0;
  return { ...extent, data };
}

/** A JP2 (ISO/IEC 15444-1, annex I) that yields the components of the group without colour conversion. */
function wrap(codestream: Uint8Array, { size, group }: Group): Buffer {
  const { components, left, top, right, bottom } = size;
  const depths = components.map(({ bits }) => bits - 1);
  const chosen = group.map((index) => depths[index] ?? 7);
  const takesAll = group.length === components.length && group.every((index, i) => index === i);
  const head = [
    box("ihdr", uint(4, bottom - top), uint(4, right - left), uint(2, components.length), [255, 7, 0, 0]),
    box("bpcc", depths),
    box("colr", [1, 0, 0], uint(4, group.length === 1 ? grey : sRgb)),
    // A palette that no channel uses: without one, the component mapping is ignored.
    ...(takesAll
      ? []
      : [
          box("pclr", uint(2, 1), [group.length], chosen, ...chosen.map((depth) => new Uint8Array((depth >> 3) + 1))),
          box("cmap", ...group.map((index) => [...uint(2, index), 0, 0])),
        ]),
  ];
  return Buffer.concat([
    box("jP  ", [0x0d, 0x0a, 0x87, 0x0a]),
    box("ftyp", Buffer.from("jp2 \0\0\0\0jp2 ", "latin1")),
    box("jp2h", ...head),
    box("jp2c", asUnsigned(codestream, components)),
  ]);
}

/** EnumCS (I.5.3.3). */
const [sRgb, grey] = [16, 17] as const;

/** The binding clamps negative samples to 0. Declared as unsigned, the same samples are offset by half the range. */
function asUnsigned(codestream: Uint8Array, components: Component[]): Uint8Array {
  if (components.every(({ isSigned }) => !isSigned)) return codestream;
  const copy = Uint8Array.from(codestream);
  for (const [i, { bits }] of components.entries()) copy[componentsAt + i * componentBytes] = bits - 1;
  return copy;
}
