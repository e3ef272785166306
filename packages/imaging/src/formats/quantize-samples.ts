import { createRoom } from "../kernels/room.ts";
import { compileKernel, startKernel } from "../kernels/start.ts";
import { coarsestStep, type QualitySteps } from "../quality/quality-steps.ts";
import type { Judge } from "../quality/sample.ts";
import type { Raster } from "../raster/raster.ts";

/** The prediction of a sample: PNG's filter 3, the mean of left and above; or TIFF's predictor 2, left alone. */
export type Prediction = "average" | "left";

export type Quantization = {
  /**
   * The distance between permitted differences, 2 and up, whole or not; the error of a sample is about half of it. The
   * differences are the nearest whole numbers.
   */
  step: number;
  prediction: Prediction;
};

const code = compileKernel("quantize-row");

/** The function of kernels/assembly/quantize-row.ts, whose constants it has. */
type QuantizeKernel = {
  quantizeRow(
    row: number,
    above: number,
    to: number,
    errors: number,
    nextErrors: number,
    width: number,
    channels: number,
    step: number,
    isAverage: number,
  ): void;
};

/**
 * The picture with small errors that deflate can pack: each sample's difference to its prediction is a multiple of
 * `step`. Few different bytes then occur, and most of them in equal threes. This is quantised prediction as in JPEG-LS
 * (ITU-T T.87, near-lossless), with the error diffused (Floyd and Steinberg, 1976), which keeps slopes from breaking
 * into bands.
 *
 * Alpha errs half as much, and not at all at 0 and 255; colours of invisible pixels become the cheapest. The constants
 * were tuned on Kodak 3 and 23 for the fewest bytes at SSIMULACRA 2 of 60 to 90: the whole saves a quarter against
 * plain quantised prediction, and at 60 it takes half the bytes of a palette of 256 (libimagequant).
 */
export function quantizeSamples(
  { width, height, channels, data }: Raster<Uint8Array>,
  { step, prediction }: Quantization,
): Uint8Array {
  const rowBytes = width * channels;
  const room = createRoom();
  const row = room.take(rowBytes);
  // A pixel before each row is zero.
  const rows = [0, 1].map(() => room.take(rowBytes + 2 * channels) + channels) as [number, number];
  // Errors for this row and the next, with one more pixel on either side.
  const errorBytes = 4 * (rowBytes + 2 * channels);
  const errors = [0, 1].map(() => room.take(errorBytes)) as [number, number];
  const memory = new WebAssembly.Memory({ initial: room.pages() });
  const { quantizeRow } = startKernel<QuantizeKernel>(code, memory);
  const bytes = new Uint8Array(memory.buffer);
  const quantized = new Uint8Array(data.length);
  const isAverage = Number(prediction === "average");
  for (let y = 0; y < height; y++) {
    const [to, above] = y % 2 === 0 ? rows : [rows[1], rows[0]];
    const [own, next] = y % 2 === 0 ? errors : [errors[1], errors[0]];
    bytes.fill(0, next, next + errorBytes);
    bytes.set(data.subarray(y * rowBytes, (y + 1) * rowBytes), row);
    quantizeRow(row, above, to, own, next, width, channels, step, isAverage);
    quantized.set(bytes.subarray(to, to + rowBytes), y * rowBytes);
  }
  return quantized;
}

/** Between the differences that may occur: 2 is next to no loss, at 48 hardly a face is left. */
const quantizationSteps: QualitySteps<number> = [
  48, 40, 36, 32, 28, 25, 23, 21, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2,
];

/** The largest step that scores at least `target`, undefined where none does. */
export function quantizationStep(
  { sample, likeness }: Judge,
  { target, prediction }: { target: number; prediction: Prediction },
): number | undefined {
  const score = (step: number) => likeness({ ...sample, data: quantizeSamples(sample, { step, prediction }) });
  return coarsestStep(quantizationSteps, { target, score });
}
