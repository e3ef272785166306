import { valueAt } from "../../curve.ts";
import * as at from "../../kernels/layout/jpeg-blocks.ts";
import { eob, zrl } from "../../kernels/layout/jpeg-blocks.ts";
import { createMemoryLayout } from "../../kernels/memory.ts";
import type { Raster } from "../../raster/raster.ts";
import { startBlocks } from "./kernel.ts";
import { createPlanes, planesRoom, stripRows } from "./planes.ts";
import type { PlaneQuantizer, Quantizer } from "./quantizer.ts";
import { zigzag } from "./zigzag.ts";

/** Components: Y, or Y, Cb and Cr. */
export type QuantizedPicture = { width: number; height: number; isHalved: boolean; components: QuantizedPlane[] };

/**
 * A component's coefficients as the words that kernels/assembly/jpeg-blocks.ts writes: one piece for each row of
 * blocks.
 */
type QuantizedPlane = { steps: Uint8Array; pieces: Uint32Array[] };

export type QuantizeOptions = {
  quantizer: Quantizer;
  /** Chroma of half the width and height (4:2:0). */
  isHalved: boolean;
  /** Awaited every few milliseconds: `setImmediate` of node:timers/promises lets the event loop run. */
  pause?: (() => Promise<unknown>) | undefined;
  signal?: AbortSignal | undefined;
};

/** Strips between two calls of `pause`. A strip of a wide picture takes 1 to 2 ms. */
const stripsAtOnce = 8;

/**
 * Colour conversion (ITU-T T.871), FDCT (ITU-T T.81, A.3.3) and quantization (A.3.4) of a picture. Memory holds a few
 * strips and the words of all blocks. Stops between strips when `signal` is aborted.
 */
export async function quantizePicture(
  picture: Raster<Uint8Array>,
  { quantizer, isHalved, pause, signal }: QuantizeOptions,
): Promise<QuantizedPicture> {
  const { components, quantizeStrip } = createStrips(picture, { quantizer, isHalved });
  for (let strip = 0; strip * stripRows < picture.height; strip++) {
    signal?.throwIfAborted();
    quantizeStrip(strip);
    if (pause && (strip + 1) % stripsAtOnce === 0) await pause();
  }
  return { width: picture.width, height: picture.height, isHalved, components };
}

type Table = { at: number; lambdaFactors: Float32Array; pieces: Uint32Array[]; steps: Uint8Array };

function createStrips(
  picture: Raster<Uint8Array>,
  { quantizer, isHalved }: { quantizer: Quantizer; isHalved: boolean },
) {
  const { width, height, channels } = picture;
  const across = Math.ceil(width / 8);
  const layout = createMemoryLayout();
  layout.take(at.tablesEnd);
  const planesAt = planesRoom(layout, picture);
  const { first, second, restored, stride } = planesAt;
  const [measures, activity, words] = [layout.take(across * 4), layout.take(across * 4), layout.take(across * 64 * 4)];
  const memory = layout.allocate();
  const planes = createPlanes({ picture, isHalved, memory, layout: planesAt });
  const kernel = startBlocks(memory);
  const floats = new Float32Array(memory.buffer);
  const integers = new Uint32Array(memory.buffer);
  new Uint8Array(memory.buffer).set(zigzag.map(transposedPlace), at.places);
  const [luma, ...colours] = (channels < 3 ? [quantizer.luma] : [quantizer.luma, quantizer.blue, quantizer.red]).map(
    (plane, i): Table => {
      const table = at.tables + i * at.tableBytes;
      writeTable(floats, table, plane);
      return { at: table, lambdaFactors: lambdaFactorsOf(plane), pieces: [], steps: plane.steps };
    },
  ) as [Table, ...Table[]]; // both branches have luma

  function quantizeRow(
    { at: table, lambdaFactors, pieces }: Table,
    row: { from: number; blocks: number; restored: number },
  ) {
    planes.measureActivity(row.from, row.blocks, measures);
    for (let i = 0; i < row.blocks; i++) {
      const step = Math.round(Math.log(floats[measures / 4 + i] as number) * activitySteps);
      floats[activity / 4 + i] = lambdaFactors[step] as number;
    }
    const end = kernel.quantizeRow(row.from, stride, row.blocks, table, activity, row.restored, words);
    pieces.push(integers.slice(words / 4, end / 4));
  }

  function quantizeColours(strip: number) {
    planes.fillColours(strip);
    const { rows, ...colour } = planes.colour;
    const blocks = Math.ceil(colour.width / 8);
    colours.forEach((table, i) => {
      const restoredStrip = restored[i as 0 | 1][strip % 3] as number; // two chroma components
      for (let row = 0; row < rows && strip * rows + row < colour.height; row += 8)
        quantizeRow(table, {
          from: (i === 0 ? first : second) + row * stride,
          blocks,
          restored: restoredStrip + row * stride,
        });
    });
  }

  return {
    components: [luma, ...colours].map(({ steps, pieces }) => ({ steps, pieces })),
    quantizeStrip(strip: number) {
      for (const table of [luma, ...colours]) {
        const [counts, rates] = [(table.at + at.acCounts) / 4, (table.at + at.acRates) / 4];
        estimateAcRates(integers.subarray(counts, counts + 256), floats.subarray(rates, rates + 256));
        const [dcCounts, dcRates] = [(table.at + at.dcCounts) / 4, (table.at + at.dcRates) / 4];
        estimateDcRates(integers.subarray(dcCounts, dcCounts + 16), floats.subarray(dcRates, dcRates + 16));
      }
      if (colours.length > 0 && strip === 0) quantizeColours(0);
      if (colours.length > 0 && (strip + 1) * stripRows < height) quantizeColours(strip + 1);
      planes.fillLuma(strip);
      for (let row = 0; row < stripRows && strip * stripRows + row < height; row += 8)
        quantizeRow(luma, { from: first + row * stride, blocks: across, restored: 0 });
    },
  };
}

/** Entries of the lambda factor table for each unit of ln(activity). */
const activitySteps = 32;
/** Upper bound of ln(activity). */
const highestActivity = 10;

/** The factor of lambda for a block, indexed by ln(activity) * `activitySteps`. */
const lambdaFactorsOf = ({ masking }: PlaneQuantizer) =>
  Float32Array.from({ length: highestActivity * activitySteps }, (_, i) =>
    Math.exp(valueAt(masking, i / activitySteps)),
  );

/** The kernel stores blocks transposed. */
const transposedPlace = (place: number) => (place % 8) * 8 + (place >> 3);

function writeTable(floats: Float32Array, table: number, { steps, weights, lambda, deadZone }: PlaneQuantizer): void {
  steps.forEach((step, place) => {
    floats[(table + at.inverseSteps) / 4 + transposedPlace(place)] = 1 / step;
    floats[(table + at.steps) / 4 + transposedPlace(place)] = step;
  });
  zigzag.forEach((place, i) => {
    floats[(table + at.weights) / 4 + i] = weights[place] as number;
  });
  floats[(table + at.lambda) / 4] = lambda;
  floats[(table + at.deadZone) / 4] = deadZone;
}

/** The prior of AC symbols: its distribution, counted as this many symbols before the first block. */
const priorCount = 20;
const priorAcShare = Float32Array.from({ length: 256 }, (_, symbol) => {
  if (symbol === eob) return 0.2;
  if (symbol === zrl) return 0.01;
  const [run, size] = [symbol >> 4, symbol & 15];
  return size === 0 ? 0.00001 : 0.35 * 0.42 ** size * 0.72 ** run;
});
/** EOBn codes the EOBs of several blocks in one symbol: an EOB costs less than its Huffman code. */
const eobShare = 0.96;

/** The prior of DC difference categories (SSSS). */
const priorDcShare = Float32Array.from({ length: 16 }, (_, size) => 0.3 * 0.7 ** size);

/** The estimated code length of a symbol, 1 to 16 bits, from its count and log2 of the total. */
const codeBits = (seen: number, most: number) => Math.min(16, Math.max(1, most - Math.log2(seen)));

/** Estimates from the counts so far the bits of each AC symbol (RRRRSSSS): its code and its additional bits. */
function estimateAcRates(counts: Uint32Array, rates: Float32Array): void {
  let total = priorCount;
  for (let symbol = 0; symbol < 256; symbol++) total += counts[symbol] as number;
  const most = Math.log2(total);
  for (let symbol = 0; symbol < 256; symbol++) {
    const seen = (counts[symbol] as number) + priorCount * (priorAcShare[symbol] as number);
    const code = codeBits(seen, most);
    rates[symbol] = symbol === eob ? code * eobShare : code + (symbol & 15);
  }
}

/** Estimates the same for each category SSSS of a DC difference. */
function estimateDcRates(counts: Uint32Array, rates: Float32Array): void {
  const most = Math.log2(counts.reduce((sum, count) => sum + count, priorCount));
  counts.forEach((count, size) => {
    rates[size] = codeBits(count + priorCount * (priorDcShare[size] as number), most) + size;
  });
}
