import { type Curve, inverse, valueAt } from "./curve.ts";
import { type Encoding, ownEncodings } from "./encodings.ts";
import { measured } from "./measured.ts";

/**
 * The definition of quality: the SSIMULACRA 2 score that a photograph of ordinary difficulty keeps, in every format.
 *
 * From 20 on it follows mozjpeg's own scale, which people know. Below, JPEG falls apart (score -45 at 5), and the scale
 * declines evenly instead: at 1 the subject is still recognisable. At 90 a careful observer sees no difference when
 * flipping between the two pictures.
 */
const scale: Curve = [
  [1, 6],
  [10, 19],
  [20, 34],
  [30, 47],
  [40, 55],
  [50, 61.5],
  [60, 67],
  [70, 71.5],
  [80, 76.7],
  [85, 80],
  [90, 83.8],
  [95, 88],
  [98, 90.8],
  [100, 93],
];

/** The target score for a quality of 1 to 100. Rises strictly. */
export const targetScore = (quality: number): number => valueAt(scale, quality);

/** The quality at which a photograph keeps this score. */
export const qualityFor = (score: number): number => valueAt(inverse(scale), score);

/**
 * The encoder's own setting, 1 to 100, at which a photograph scores as `quality` demands; an integer except for our own
 * encoders. Never falls as quality rises.
 */
export function encoderSetting(encoding: Encoding, quality: number): number {
  const setting = valueAt(inverse(measured[encoding]), targetScore(quality));
  return ownEncodings.some((own) => own === encoding) ? setting : Math.round(setting);
}
