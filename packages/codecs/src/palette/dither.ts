import code from "../kernels/build/dither-row.wasm.js";
import { loadKernel } from "../kernels/load-kernel.ts";
import { createMemoryLayout } from "../kernels/memory.ts";
import type { Raster } from "../raster/raster.ts";
import { colourWeight } from "./colour-space.ts";
import type { Palette } from "./quantize-colours.ts";

/** How much of an error is diffused to the neighbours, in the units of `Place`. */
export type DitherOptions = {
  /** The diffused share, 0 to 1. */
  strength: number;
  /** The upper bound: the edge of a letter must not smear into the paper beside it. */
  max: number;
  /** Smaller errors are dropped: flat areas stay flat, and take fewer bytes and less time. */
  min: number;
};

/** The function of kernels/assembly/dither-row.ts. */
type DitherKernel = {
  ditherRow(
    pixels: number,
    width: number,
    ahead: number,
    places: number,
    order: number,
    count: number,
    errors: number,
    nextErrors: number,
    known: number,
    indices: number,
    ...numbers: [colourWeight: number, strength: number, max: number, min: number]
  ): void;
};

const startKernel = loadKernel<DitherKernel>(code);
const knownBytes = 8 * 1024;

/**
 * The palette index of each pixel, one byte each, by error diffusion (Floyd and Steinberg, 1976), in serpentine order.
 */
export function ditherToPalette(
  { width, height, channels, data }: Raster<Uint8Array>,
  { places: unsorted }: Palette,
  { strength, max, min }: DitherOptions,
): Uint8Array {
  const count = unsorted.length / 4;
  const order = Uint8Array.from({ length: count }, (_, i) => i).sort(
    (a, b) => (unsorted[a * 4] as number) - (unsorted[b * 4] as number),
  );
  const layout = createMemoryLayout();
  const [row, found] = [layout.take(4 * width), layout.take(width)];
  const [places, entries] = [layout.take(16 * count), layout.take(count)];
  const rowBytes = 16 * (width + 2);
  const errorRows = [layout.take(rowBytes), layout.take(rowBytes)] as const;
  const known = layout.take(knownBytes);
  const memory = layout.allocate();
  const kernel = startKernel(memory);
  new Uint8Array(memory.buffer, entries, count).set(order);
  const sorted = new Float32Array(memory.buffer, places, 4 * count);
  for (const [to, from] of order.entries()) sorted.set(unsorted.subarray(from * 4, from * 4 + 4), to * 4);
  const pixels = new Uint32Array(memory.buffer, row, width);
  const nearest = new Uint8Array(memory.buffer, found, width);
  const indices = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    fillRow(pixels, { channels, data }, y * width * channels);
    const [errors, nextErrors] = y % 2 === 0 ? errorRows : ([errorRows[1], errorRows[0]] as const);
    new Uint8Array(memory.buffer, nextErrors, rowBytes).fill(0);
    const ahead = y % 2 === 0 ? 1 : -1;
    kernel.ditherRow(
      row,
      width,
      ahead,
      places,
      entries,
      count,
      errors,
      nextErrors,
      known,
      found,
      colourWeight,
      strength,
      max,
      min,
    );
    indices.set(nearest, y * width);
  }
  return indices;
}

/** A row of packed colours, red in the lowest byte and alpha in the highest. */
function fillRow(
  row: Uint32Array,
  { channels, data }: { channels: Raster["channels"]; data: Uint8Array },
  from: number,
): void {
  const hasAlpha = channels === 2 || channels === 4;
  const [green, blue] = channels < 3 ? [0, 0] : [1, 2];
  for (let x = 0, at = from; x < row.length; x++, at += channels) {
    const alpha = hasAlpha ? (data[at + channels - 1] as number) : 255;
    row[x] =
      (data[at] as number) | ((data[at + green] as number) << 8) | ((data[at + blue] as number) << 16) | (alpha << 24);
  }
}
