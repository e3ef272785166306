import { type Curve, inverse, valueAt } from "@tintype/codecs/curve";
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
 * How many points a photograph scores higher as JPEG than in another format at the same quality, by its detail
 * (`detailOf`): WebP spends more bits on photographs full of detail than JPEG, and fewer on soft ones. Least squares
 * over 133 photographs; `npm run bench:likeness` shows what is left on others.
 */
const corrections: Record<"webp" | "avif", readonly (readonly [quality: number, pointsByDetail: Curve])[]> = {
  webp: [
    [40, byDetail(4, 1.6, -9.4)],
    [60, byDetail(3, 0, -7)],
    [75, byDetail(2.5, -0.5, -4.9)],
    [90, byDetail(2.5, -0.4, -2.3)],
  ],
  avif: [
    [40, byDetail(-4, 0.2, 0.6)],
    [60, byDetail(-3.9, -1, -0.3)],
    [75, byDetail(-2.4, -1.2, -0.8)],
    [90, byDetail(-0.6, -0.6, -0.7)],
  ],
};

function byDetail(little: number, some: number, much: number): Curve {
  return [
    [1.6, little],
    [2.4, some],
    [3.2, much],
  ];
}

function correction(encoding: Encoding, quality: number, detail: number): number {
  const format = (["webp", "avif"] as const).find((name) => encoding.startsWith(name));
  return format
    ? valueAt(
        corrections[format].map(([at, points]) => [at, valueAt(points, detail)]),
        quality,
      )
    : 0;
}

/**
 * The encoder's own setting, 1 to 100, at which a photograph scores as `quality` demands; an integer except for our own
 * encoders. Never falls as quality rises. `detail`: of this photograph (`detailOf`); without it, of an average one.
 */
export function encoderSetting(encoding: Encoding, quality: number, detail?: number): number {
  const target = targetScore(quality) + (detail === undefined ? 0 : correction(encoding, quality, detail));
  const setting = valueAt(inverse(measured[encoding]), target);
  return ownEncodings.some((own) => own === encoding) ? setting : Math.round(setting);
}
