import { setImmediate } from "node:timers/promises";
import * as at from "../../kernels/layout/jpeg-blocks.ts";
import { createRoom } from "../../kernels/room.ts";
import { valueAt } from "../../quality/curve.ts";
import type { Raster } from "../../raster/raster.ts";
import { type BlocksKernel, startBlocks } from "./kernel.ts";
import type { Component, Quantizer } from "./quantizer.ts";
import { estimateRates } from "./rates.ts";
import { zigzag } from "./zigzag.ts";

/** Luma, or luma, Cb and Cr. */
export type QuantizedPicture = { width: number; height: number; isHalved: boolean; components: QuantizedComponent[] };

/** One plane's coefficients: the words of kernels/assembly/jpeg-blocks.ts, a piece for each row of blocks. */
export type QuantizedComponent = { steps: Uint8Array; pieces: Uint32Array[] };

/** Rows that are worked on at once: two rows of blocks, or one of halved colour. */
const stripRows = 16;
const f32Bytes = 4;
const align = (length: number, unit: number) => Math.ceil(length / unit) * unit;

/** Memory holds three strips and the words of all blocks. Stops between strips when `signal` is aborted. */
export async function quantizePicture(
  picture: Raster<Uint8Array>,
  { quantizer, isHalved, signal }: { quantizer: Quantizer; isHalved: boolean; signal?: AbortSignal | undefined },
): Promise<QuantizedPicture> {
  const strips = createStrips(picture, { quantizer, isHalved });
  for (let strip = 0; strip < strips.count; strip++) {
    signal?.throwIfAborted();
    strips.quantize(strip);
    if (strip % 8 === 7) await setImmediate();
  }
  return { width: picture.width, height: picture.height, isHalved, components: strips.components };
}

function createStrips(
  { width, height, channels, data }: Raster<Uint8Array>,
  { quantizer, isHalved }: { quantizer: Quantizer; isHalved: boolean },
) {
  const isGrey = channels < 3;
  const scale = isHalved ? 2 : 1;
  const [colourWidth, colourHeight] = [Math.ceil(width / scale), Math.ceil(height / scale)];
  const padded = align(width, 16) * f32Bytes;
  const across = { luma: Math.ceil(width / 8), colour: Math.ceil(colourWidth / 8) };
  const colourRows = stripRows / scale;

  const room = createRoom();
  room.take(at.tablesEnd);
  const pixels = room.take(width * channels);
  const plane = room.take(stripRows * padded);
  const second = room.take(stripRows * padded);
  const [raisedBlue, raisedRed] = [room.take(padded), room.take(padded)];
  const measures = room.take(across.luma * 2 * f32Bytes);
  const liveliness = room.take(across.luma * f32Bytes);
  const words = room.take(across.luma * 64 * 4);
  // What decoders see of Cb and Cr, of this strip and its neighbours.
  const seen = [0, 1].map(() => [0, 1, 2].map(() => room.take(colourRows * padded)));
  const memory = new WebAssembly.Memory({ initial: room.pages() });
  const kernel: BlocksKernel = startBlocks(memory);
  const bytes = new Uint8Array(memory.buffer);
  const floats = new Float32Array(memory.buffer);
  const integers = new Uint32Array(memory.buffer);

  const tables = (isGrey ? [quantizer.luma] : [quantizer.luma, quantizer.blue, quantizer.red]).map((component, i) => {
    const table = at.tables + i * at.tableBytes;
    writeTable(floats, table, component);
    return { component, table, countedUntil: 0, pieces: [] as Uint32Array[] };
  });
  bytes.set(
    zigzag.map((place) => turned(place)),
    at.places,
  );
  for (let i = 0; i < 1024; i++) {
    floats[at.lights / 4 + i] = lightOf(i / 4);
    floats[at.slopes / 4 + i] = (lightOf((i + 2) / 4) - lightOf((i - 2) / 4)) / 1;
  }

  type Table = (typeof tables)[number];
  function quantizeRow(table: Table, from: number, blocks: number, restored: number) {
    kernel.measureRow(from, padded, from + blocks * 32, quantizer.floor, measures);
    const { masking } = table.component;
    for (let i = 0; i < blocks; i++)
      floats[liveliness / 4 + i] = Math.exp(valueAt(masking, Math.log(floats[measures / 4 + 2 * i] as number)));
    const end = kernel.quantizeRow(from, padded, blocks, table.table, liveliness, restored, words);
    table.pieces.push(integers.slice(words / 4, end / 4));
  }

  function learnRates(table: Table) {
    const counts = integers.subarray((table.table + at.counts) / 4, (table.table + at.counts) / 4 + 256);
    floats.set(estimateRates(counts), (table.table + at.rates) / 4);
  }

  function loadRow(y: number): number {
    const row = Math.min(y, height - 1) * width * channels;
    bytes.set(data.subarray(row, row + width * channels), pixels);
    return pixels + width * channels;
  }

  function quantizeColour(strip: number) {
    for (let row = 0; row < stripRows; row++) {
      const [blue, red] = [plane + row * padded, second + row * padded];
      kernel.splitColours(pixels, loadRow(strip * stripRows + row), blue, red);
      for (const to of [blue, red]) kernel.extendRow(to + width * f32Bytes, to + padded);
    }
    tables.slice(1).forEach((table, i) => {
      const from = i === 0 ? plane : second;
      const to = seen[i]?.[strip % 3] as number;
      if (isHalved)
        for (let row = 0; row < colourRows; row++) {
          const upper = from + 2 * row * padded;
          kernel.halveRows(upper, upper + padded, upper + padded, from + row * padded);
        }
      for (let row = 0; row < colourRows && strip * colourRows + row < colourHeight; row += 8)
        quantizeRow(table, from + row * padded, across.colour, to + row * padded);
    });
  }

  /** The row of a colour as a decoder sees it, at full size. */
  function raise(colour: 0 | 1, y: number, to: number): number {
    const address = (row: number) => {
      const inside = Math.max(0, Math.min(colourHeight - 1, row));
      const strip = Math.floor(inside / colourRows);
      return (seen[colour]?.[strip % 3] as number) + (inside - strip * colourRows) * padded;
    };
    if (!isHalved) return address(y);
    const near = Math.min(colourHeight - 1, y >> 1);
    kernel.raiseRow(address(near), address(near + (y % 2 === 0 ? -1 : 1)), address(near) + colourWidth * f32Bytes, to);
    return to;
  }

  const count = Math.ceil(height / stripRows);
  return {
    count,
    components: tables.map(({ component, pieces }) => ({ steps: component.steps, pieces })),
    quantize(strip: number) {
      for (const table of tables) learnRates(table);
      if (!isGrey && strip === 0) quantizeColour(0);
      if (!isGrey && strip + 1 < count) quantizeColour(strip + 1);
      for (let row = 0; row < stripRows; row++) {
        const y = Math.min(height - 1, strip * stripRows + row);
        const end = loadRow(y);
        const to = plane + row * padded;
        if (isGrey) kernel.splitGrey(pixels, end, to);
        else kernel.splitLuma(pixels, end, raise(0, y, raisedBlue), raise(1, y, raisedRed), to);
        kernel.extendRow(to + width * f32Bytes, to + padded);
      }
      for (let row = 0; row < stripRows && strip * stripRows + row < height; row += 8)
        quantizeRow(tables[0] as Table, plane + row * padded, across.luma, 0);
    },
  };
}

/** The kernel keeps columns for rows. */
const turned = (place: number) => (place % 8) * 8 + (place >> 3);

function writeTable(floats: Float32Array, table: number, { steps, weights, price, deadZone }: Component): void {
  steps.forEach((step, place) => {
    floats[(table + at.inverseSteps) / 4 + turned(place)] = 1 / step;
    floats[(table + at.steps) / 4 + turned(place)] = step;
  });
  zigzag.forEach((place, i) => {
    floats[(table + at.weights) / 4 + i] = weights[place] as number;
  });
  floats[(table + at.price) / 4] = price;
  floats[(table + at.deadZone) / 4] = deadZone;
}

/** IEC 61966-2-1 (sRGB), of a value of 0 to 255. */
function lightOf(value: number): number {
  const part = value / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}
