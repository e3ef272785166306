/**
 * The source samples of each target sample along one axis, and their weights. Target sample i is the sum over t < count
 * of source[first[i] + t] * weights[i * count + t]. Every first[i] + t is inside the source, first never decreases, and
 * the weights of one target sample sum to 1.
 */
export type Taps = { first: Int32Array; weights: Float32Array; count: number };

export type Axis = {
  /** The number of source samples. */
  size: number;
  /** The interval of the source, px, possibly fractional, that the target shows. */
  start: number;
  length: number;
  /** The number of target samples. */
  target: number;
};

/**
 * Lobes on each side: of the usual kernels 3 keeps the most detail; it overshoots a hard edge by about 9 % of the step.
 */
const lobes = 3;

/**
 * Lanczos-3 taps with aligned pixel centres: target i is at start + (i + 0.5) * length / target - 0.5. For a smaller
 * target the kernel is widened by the ratio, which prevents moiré. Beyond its edges the source's edge sample is
 * replicated. Source: C. E. Duchon, "Lanczos Filtering in One and Two Dimensions", J. Appl. Meteor. 18 (1979).
 */
export function lanczosTaps({ size, start, length, target }: Axis): Taps {
  const ratio = length / target;
  const widening = Math.max(1, ratio);
  const reach = lobes * widening;
  const wanted = Math.ceil(2 * reach);
  const count = Math.min(wanted, size);
  const first = new Int32Array(target);
  const weights = new Float32Array(target * count);
  const row = new Float64Array(count);
  for (let i = 0; i < target; i++) {
    const centre = start + (i + 0.5) * ratio - 0.5;
    const from = Math.floor(centre - reach) + 1;
    const inside = clamp(from, 0, size - count);
    row.fill(0);
    let sum = 0;
    for (let j = from; j < from + wanted; j++) {
      const weight = lanczos((j - centre) / widening);
      sum += weight;
      row[clamp(j, 0, size - 1) - inside] = (row[clamp(j, 0, size - 1) - inside] as number) + weight;
    }
    first[i] = inside;
    for (let t = 0; t < count; t++) weights[i * count + t] = (row[t] as number) / sum;
  }
  return { first, weights, count };
}

function lanczos(x: number): number {
  if (Math.abs(x) < 1e-9) return 1;
  if (Math.abs(x) >= lobes) return 0;
  const angle = Math.PI * x;
  return (lobes * Math.sin(angle) * Math.sin(angle / lobes)) / (angle * angle);
}

const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high);
