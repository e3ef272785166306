import { coarsestStep, type QualitySteps } from "../quality/quality-steps.ts";
import type { Judge } from "../quality/sample.ts";
import type { Channels, Raster } from "../raster/raster.ts";

/** The prediction of a sample: PNG's filter 3, the mean of left and above; or TIFF's predictor 2, left alone. */
export type Prediction = "average" | "left";

export type Quantization = {
  /** The distance between permitted differences, 2 and up; the error of a sample is about half of it. */
  step: number;
  prediction: Prediction;
};

/** Share of an error that is handed on to neighbours not yet coded. All of it would make noise out of small errors. */
const handedOn = 0.7;
/** A difference counts as zero until it exceeds half a step by this much: the rest is diffused, and adds up. */
const reluctance = 0.2;
/** Red and blue follow green's difference as long as they are off by less than this, in steps: equal bytes pack well. */
const following = 0.5 + 1.3;

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
  const rowLength = width * channels;
  const quantized = new Uint8Array(data.length);
  const order = channelOrder(channels);
  const alphaChannel = channels === 2 || channels === 4 ? channels - 1 : -1;
  // Errors for this row and the next, with one more pixel on either side.
  let errors = new Float32Array(rowLength + 2 * channels);
  let nextErrors = new Float32Array(rowLength + 2 * channels);
  for (let y = 0; y < height; y++) {
    [errors, nextErrors] = [nextErrors, errors];
    nextErrors.fill(0);
    for (let x = 0; x < width; x++) {
      const pixel = y * rowLength + x * channels;
      const isUnseen = alphaChannel >= 0 && data[pixel + alphaChannel] === 0;
      let lead = 0;
      for (let place = 0; place < order.length; place++) {
        const channel = order[place] as number;
        const at = pixel + channel;
        const left = x > 0 ? (quantized[at - channels] as number) : 0;
        const above = y > 0 ? (quantized[at - rowLength] as number) : 0;
        const predicted = prediction === "left" ? left : (left + above) >> 1;
        const original = data[at] as number;
        const isAlpha = channel === alphaChannel;
        if (isAlpha ? original === 0 || original === 255 : isUnseen) {
          quantized[at] = isAlpha ? original : predicted;
          continue;
        }
        const size = isAlpha ? Math.max(1, step >> 1) : step;
        const column = (x + 1) * channels + channel;
        const wanted = original + (errors[column] as number);
        const distance = (wanted - predicted) / size;
        let steps = Math.max(0, Math.floor(Math.abs(distance) + 0.5 - reluctance));
        if (distance < 0) steps = -steps;
        if (!isAlpha) {
          if (place === 0) lead = steps;
          else if (Math.abs(distance - lead) < following) steps = lead;
        }
        let value = predicted + steps * size;
        while (value > 255) value -= size;
        while (value < 0) value += size;
        quantized[at] = value;
        const error = Math.max(-size, Math.min(size, (wanted - value) * handedOn));
        errors[column + channels] = (errors[column + channels] as number) + (error * 7) / 16;
        nextErrors[column - channels] = (nextErrors[column - channels] as number) + (error * 3) / 16;
        nextErrors[column] = (nextErrors[column] as number) + (error * 5) / 16;
        nextErrors[column + channels] = (nextErrors[column + channels] as number) + error / 16;
      }
    }
  }
  return quantized;
}

/** Green leads, because it carries most of the visible detail; alpha comes first if it decides what is visible. */
function channelOrder(channels: Channels): readonly number[] {
  if (channels === 1) return [0];
  if (channels === 2) return [0, 1];
  return channels === 3 ? [1, 0, 2] : [1, 0, 2, 3];
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
