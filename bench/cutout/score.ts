import { boxMean } from "../../packages/imaging/src/cutout/box-mean.ts";

/** A mask and a matte of the same size, 0..1. */
type Compared = { size: { width: number; height: number }; truth: Float32Array; alpha: Float32Array };

/** IoU at a threshold of one half; mean absolute error; the same within 5 px of the outline; IoU beyond 2 px of it. */
export type Score = { iou: number; mae: number; boundary: number; iouBeyond: number };

export function scoreMatte({ size, truth, alpha }: Compared): Score {
  const near = isNearOutline(truth, { size, px: 5 });
  const onOutline = isNearOutline(truth, { size, px: 2 });
  const sums = { both: 0, either: 0, bothBeyond: 0, eitherBeyond: 0, error: 0, nearError: 0, near: 0 };
  for (let i = 0; i < truth.length; i += 1) {
    const [own, right] = [alpha[i] ?? 0, truth[i] ?? 0];
    const both = own > 0.5 && right > 0.5 ? 1 : 0;
    const either = own > 0.5 || right > 0.5 ? 1 : 0;
    const error = Math.abs(own - right);
    sums.both += both;
    sums.either += either;
    sums.error += error;
    if (near(i)) {
      sums.near += 1;
      sums.nearError += error;
    }
    if (onOutline(i)) continue;
    sums.bothBeyond += both;
    sums.eitherBeyond += either;
  }
  return {
    iou: sums.both / sums.either,
    mae: sums.error / truth.length,
    boundary: sums.nearError / sums.near,
    iouBeyond: sums.bothBeyond / sums.eitherBeyond,
  };
}

function isNearOutline(truth: Float32Array, { size, px }: { size: Compared["size"]; px: number }) {
  const cut = truth.map((value) => (value > 0.5 ? 1 : 0));
  const mean = new Float32Array(truth.length);
  boxMean(cut, { size, radius: px, scratch: new Float32Array(truth.length), target: mean });
  return (i: number) => (mean[i] as number) > 1e-4 && (mean[i] as number) < 1 - 1e-4;
}

export const meanScore = (scores: readonly Score[]): Score => {
  const mean = (pick: (score: Score) => number) => scores.reduce((sum, score) => sum + pick(score), 0) / scores.length;
  return {
    iou: mean((score) => score.iou),
    mae: mean((score) => score.mae),
    boundary: mean((score) => score.boundary),
    iouBeyond: mean((score) => score.iouBeyond),
  };
};

/** Spearman's rank correlation, -1 to 1. */
export function rankCorrelation(a: readonly number[], b: readonly number[]): number {
  const ranks = (values: readonly number[]) => {
    const order = [...values.keys()].sort((i, j) => (values[i] ?? 0) - (values[j] ?? 0));
    return values.map((_, i) => order.indexOf(i));
  };
  const [x, y] = [ranks(a), ranks(b)];
  const middle = (a.length - 1) / 2;
  const product = (p: readonly number[], q: readonly number[]) =>
    p.reduce((sum, value, i) => sum + (value - middle) * ((q[i] ?? 0) - middle), 0);
  return product(x, y) / Math.sqrt(product(x, x) * product(y, y));
}
