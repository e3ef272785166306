import { type Curve, valueAt } from "../../quality/curve.ts";
import { type PlaneShape, type QuantizerShape, shapes } from "./shapes.ts";

/** How one plane is quantized. Tables are in raster order. */
export type PlaneQuantizer = {
  /** Elements of the quantization table (Q of ITU-T T.81, A.3.4), 1 to 255. */
  steps: Uint8Array;
  /** The cost of a squared error of a step. */
  weights: Float32Array;
  /** The rate-distortion multiplier: the cost of a bit, in squared errors of a step. */
  lambda: number;
  /** Coefficients below this, in steps, become zero without a trial. */
  deadZone: number;
  /** Activity masking: by the logarithm of a block's activity, the logarithm of lambda's factor. */
  masking: Curve;
};

export type Quantizer = { luma: PlaneQuantizer; blue: PlaneQuantizer; red: PlaneQuantizer };

/** @param setting 1 to 100: each step makes the quantizer 5 % finer */
export function quantizerFor({ setting, isHalved }: { setting: number; isHalved: boolean }): Quantizer {
  const shape = shapes[isHalved ? "halved" : "full"];
  const scale = coarsest * finer ** (setting - 1);
  return {
    luma: planeQuantizer(shape, { plane: shape.luma, scale }),
    blue: planeQuantizer(shape, { plane: shape.blue, scale }),
    red: planeQuantizer(shape, { plane: shape.red, scale }),
  };
}

const coarsest = 8;
const finer = 0.95;

function planeQuantizer(
  { deadZone }: QuantizerShape,
  { plane, scale }: { plane: PlaneShape; scale: number },
): PlaneQuantizer {
  const { dc, bySum, diagonal, lambda, weight, masking } = plane;
  const logarithms = bySum.map(([sum, step]) => [sum, Math.log(step)] as const);
  const steps = Uint8Array.from({ length: 64 }, (_, place) => {
    const [column, row] = [place % 8, place >> 3];
    const sum = column + row;
    const step =
      place === 0 ? dc : Math.exp(valueAt(logarithms, sum)) * diagonal ** ((2 * Math.min(column, row)) / sum);
    return Math.max(1, Math.min(255, Math.round(step * scale)));
  });
  const first = steps[1] as number;
  return {
    steps,
    weights: Float32Array.from(steps, (step) => (step / first) ** weight),
    lambda,
    deadZone,
    masking,
  };
}
