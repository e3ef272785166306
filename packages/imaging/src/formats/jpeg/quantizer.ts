import type { Curve } from "../../quality/curve.ts";

/** How one plane is quantised. Tables are in rows. */
export type Component = {
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

export type Quantizer = { luma: Component; blue: Component; red: Component; floor: number };
