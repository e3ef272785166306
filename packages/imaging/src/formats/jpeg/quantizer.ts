import { type Curve, valueAt } from "../../quality/curve.ts";
import { type PlaneShape, type QuantizerShape, shapes } from "./shapes.ts";

/** How one plane is quantised. Tables are in rows. */
export type PlaneQuantizer = {
  /** 1 to 255. */
  steps: Uint8Array;
  /** The cost of a squared error of a step. */
  weights: Float32Array;
  /** Of a bit, in squared errors of a step. */
  price: number;
  /** Smaller coefficients, in steps, are left out without a trial. */
  deadZone: number;
  /** By the logarithm of how lively a block is, the logarithm of how much more a bit costs there. */
  masking: Curve;
};

export type Quantizer = { luma: PlaneQuantizer; blue: PlaneQuantizer; red: PlaneQuantizer };

/** @param setting 1 to 100: each step makes the quantiser 5 % finer */
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
  const { mean, bySum, diagonal, price, weight, masking } = plane;
  const logarithms = bySum.map(([sum, step]) => [sum, Math.log(step)] as const);
  const steps = Uint8Array.from({ length: 64 }, (_, place) => {
    const [column, row] = [place % 8, place >> 3];
    const sum = column + row;
    const step =
      place === 0 ? mean : Math.exp(valueAt(logarithms, sum)) * diagonal ** ((2 * Math.min(column, row)) / sum);
    return Math.max(1, Math.min(255, Math.round(step * scale)));
  });
  const first = steps[1] as number;
  return {
    steps,
    weights: Float32Array.from(steps, (step) => (step / first) ** weight),
    price,
    deadZone,
    masking,
  };
}
