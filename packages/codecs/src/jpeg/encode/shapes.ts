import type { Curve } from "../../curve.ts";

/** The quantizer parameters of one component, before they are scaled by the quality setting. */
export type PlaneShape = {
  /** The quantization step of DC. */
  dc: number;
  /** The quantization step of an AC coefficient by u + v, with log-linear interpolation. */
  bySum: Curve;
  /** The factor of the steps on the diagonal (u = v) relative to those at the edges of the block. */
  diagonal: number;
  /** See PlaneQuantizer. */
  lambda: number;
  masking: Curve;
  /** The exponent of the step in the weight of a squared error, which is in steps. */
  weight: number;
};

export type QuantizerShape = { deadZone: number; luma: PlaneShape; blue: PlaneShape; red: PlaneShape };

/**
 * Found by coordinate descent on the bytes at SSIMULACRA 2 scores of 70 and 80 (docs/decisions/0030-our-own-jpeg.md).
 * `halved` (4:2:0) was tuned on photographs; `full` (4:4:4) on coloured text, an interface and photographs.
 */
export const shapes: Record<"halved" | "full", QuantizerShape> = {
  halved: {
    deadZone: 0.3589,
    luma: {
      dc: 5.906,
      diagonal: 1.142,
      lambda: 0.09267,
      weight: 0.842,
      bySum: [
        [1, 9.412],
        [2, 14.15],
        [3, 23.06],
        [4, 26.22],
        [5.5, 29.13],
        [7.5, 31.81],
        [10, 43.52],
        [14, 39.24],
      ],
      masking: [
        [1.4, -0.146],
        [2.6, -0.3306],
        [3.8, -0.2364],
        [5, 0.75],
        [6.2, 1.176],
        [7.4, 1.376],
      ],
    },
    blue: {
      dc: 4.636,
      diagonal: 0.8323,
      lambda: 0.0105,
      weight: 0.824,
      bySum: [
        [1, 9.87],
        [2, 14.66],
        [3, 30.54],
        [4, 34.4],
        [5.5, 33.18],
        [7.5, 39.01],
        [10, 49.49],
        [14, 149.2],
      ],
      masking: [
        [1.4, 0],
        [7.4, 0.946],
      ],
    },
    red: {
      dc: 9.093,
      diagonal: 0.798,
      lambda: 0.0456,
      weight: 0.824,
      bySum: [
        [1, 15.54],
        [2, 19.63],
        [3, 21.17],
        [4, 30.48],
        [5.5, 27.75],
        [7.5, 42.34],
        [10, 71.84],
        [14, 71.41],
      ],
      masking: [
        [1.4, 0],
        [7.4, 0.946],
      ],
    },
  },
  full: {
    deadZone: 0.399,
    luma: {
      dc: 5.927,
      diagonal: 1,
      lambda: 0.1015,
      weight: 0.5464,
      bySum: [
        [1, 8.779],
        [2, 13.66],
        [3, 19.33],
        [4, 21.98],
        [5.5, 22.55],
        [7.5, 22.47],
        [10, 24.7],
        [14, 35.3],
      ],
      masking: [
        [1.4, -0.19],
        [2.6, -0.35],
        [3.8, 0.19],
        [5, 0.65],
        [6.2, 1.11],
        [7.4, 1.1],
      ],
    },
    blue: {
      dc: 10.31,
      diagonal: 1,
      lambda: 0.03755,
      weight: 0.914,
      bySum: [
        [1, 35.24],
        [2, 44.11],
        [3, 56.43],
        [4, 40.88],
        [5.5, 49.81],
        [7.5, 58.93],
        [10, 50.91],
        [14, 78.56],
      ],
      masking: [
        [1.4, 0],
        [7.4, 0.8909],
      ],
    },
    red: {
      dc: 14.88,
      diagonal: 0.9508,
      lambda: 0.0807,
      weight: 0.914,
      bySum: [
        [1, 29.81],
        [2, 25.82],
        [3, 53.69],
        [4, 61.39],
        [5.5, 63.8],
        [7.5, 105.9],
        [10, 80.19],
        [14, 92.84],
      ],
      masking: [
        [1.4, 0],
        [7.4, 0.8909],
      ],
    },
  },
};
