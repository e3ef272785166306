import { type Curve, valueAt } from "../../curve.ts";
import { type PlaneShape, type QuantizerShape, shapes } from "./shapes.ts";

/** The quantizer of one component. Tables are in raster order. */
export type PlaneQuantizer = {
  /** Quantization table elements (Q of ITU-T T.81, A.3.4), 1 to 255. */
  steps: Uint8Array;
  /** The cost of a squared error of one step, relative to the first AC coefficient. */
  weights: Float32Array;
  /**
   * The Lagrange multiplier of rate-distortion optimization: the cost of a bit, in weighted squared errors of a step.
   */
  lambda: number;
  /** Coefficients below this magnitude, in steps, are quantized to zero without a trial. */
  deadZone: number;
  /** Activity masking: from ln(activity) of a block to ln of the factor of lambda. */
  masking: Curve;
};

export type Quantizer = { luma: PlaneQuantizer; blue: PlaneQuantizer; red: PlaneQuantizer };

/** @param setting 1 to 100: each unit makes the quantization steps 5 % finer */
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
