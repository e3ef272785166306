/** Points in three dimensions, [point * 3], and how much each counts. */
export type WeightedPoints = { points: Float64Array; weights: Float64Array };

/** A group's members are `order` from `start` up to `end`. */
type Group = { start: number; end: number; mean: Axis; covariance: Covariance; spread: number };
type Axis = [number, number, number];
/** xx, xy, xz, yy, yz, zz; weighted sums, not divided by the weight. */
type Covariance = [number, number, number, number, number, number];

/**
 * Splits points into `count` groups: again and again the widest, across its longest axis where that separates most
 * (Wan, Wong and Prusinkiewicz, "Variance-based color quantization", 1988, with the cut of Otsu 1979).
 * @returns the group of each point, and how many groups there are: fewer than `count` where points coincide
 */
export function splitPoints(cloud: WeightedPoints, count: number): { groupOf: Uint16Array; groupCount: number } {
  const order = Uint32Array.from(cloud.weights.keys());
  const groups = [measureGroup(cloud, order, 0, order.length)];
  while (groups.length < count) {
    const widest = groups.reduce((most, group) => (group.spread > most.spread ? group : most));
    const middle = widest.spread > 0 ? partition(cloud, order, widest) : widest.start;
    if (middle === widest.start || middle === widest.end) {
      if (widest.spread <= 0) break;
      widest.spread = 0; // equal colours
      continue;
    }
    groups[groups.indexOf(widest)] = measureGroup(cloud, order, widest.start, middle);
    groups.push(measureGroup(cloud, order, middle, widest.end));
  }
  const groupOf = new Uint16Array(order.length);
  groups.forEach(({ start, end }, group) => {
    for (let at = start; at < end; at++) groupOf[order[at] as number] = group;
  });
  return { groupOf, groupCount: groups.length };
}

function measureGroup({ points, weights }: WeightedPoints, order: Uint32Array, start: number, end: number): Group {
  let total = 0;
  const mean: Axis = [0, 0, 0];
  for (let at = start; at < end; at++) {
    const point = order[at] as number;
    const weight = weights[point] as number;
    total += weight;
    mean[0] += weight * (points[point * 3] as number);
    mean[1] += weight * (points[point * 3 + 1] as number);
    mean[2] += weight * (points[point * 3 + 2] as number);
  }
  for (const axis of [0, 1, 2] as const) mean[axis] /= total || 1;
  const covariance: Covariance = [0, 0, 0, 0, 0, 0];
  for (let at = start; at < end; at++) {
    const point = order[at] as number;
    const weight = weights[point] as number;
    const x = (points[point * 3] as number) - mean[0];
    const y = (points[point * 3 + 1] as number) - mean[1];
    const z = (points[point * 3 + 2] as number) - mean[2];
    covariance[0] += weight * x * x;
    covariance[1] += weight * x * y;
    covariance[2] += weight * x * z;
    covariance[3] += weight * y * y;
    covariance[4] += weight * y * z;
    covariance[5] += weight * z * z;
  }
  return { start, end, mean, covariance, spread: covariance[0] + covariance[3] + covariance[5] };
}

/** The longest axis, by power iteration. */
function longestAxis([xx, xy, xz, yy, yz, zz]: Covariance): Axis {
  let axis: Axis = [xx + xy + xz, xy + yy + yz, xz + yz + zz];
  if (Math.hypot(...axis) < 1e-12) axis = [1, 0.5, 0.25];
  for (let round = 0; round < 16; round++) {
    const [x, y, z] = axis;
    const next: Axis = [xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z];
    const length = Math.hypot(...next);
    if (length === 0) return axis;
    axis = [next[0] / length, next[1] / length, next[2] / length];
  }
  return axis;
}

const buckets = 128;

/** Sorts a group's members to both sides of the cut. @returns where the second side begins */
function partition(cloud: WeightedPoints, order: Uint32Array, { start, end, mean, covariance }: Group): number {
  const { points, weights } = cloud;
  const [x, y, z] = longestAxis(covariance);
  const along = (point: number) =>
    x * ((points[point * 3] as number) - mean[0]) +
    y * ((points[point * 3 + 1] as number) - mean[1]) +
    z * ((points[point * 3 + 2] as number) - mean[2]);
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (let at = start; at < end; at++) {
    const place = along(order[at] as number);
    if (place < least) least = place;
    if (place > most) most = place;
  }
  if (!(most > least)) return start;
  const scale = (buckets - 1e-6) / (most - least);
  const bucketWeights = new Float64Array(buckets);
  const bucketSums = new Float64Array(buckets);
  for (let at = start; at < end; at++) {
    const point = order[at] as number;
    const place = along(point);
    const bucket = Math.floor((place - least) * scale);
    const weight = weights[point] as number;
    bucketWeights[bucket] = (bucketWeights[bucket] as number) + weight;
    bucketSums[bucket] = (bucketSums[bucket] as number) + weight * place;
  }
  const cut = bestCut(bucketWeights, bucketSums);
  let low = start;
  let high = end - 1;
  while (low <= high) {
    const point = order[low] as number;
    if (Math.floor((along(point) - least) * scale) < cut) low++;
    else {
      order[low] = order[high] as number;
      order[high--] = point;
    }
  }
  return low;
}

/** The bucket before which a cut puts the means of both sides furthest apart, weighted. */
function bestCut(bucketWeights: Float64Array, bucketSums: Float64Array): number {
  const totalWeight = bucketWeights.reduce((total, weight) => total + weight, 0);
  const totalSum = bucketSums.reduce((total, sum) => total + sum, 0);
  let [weight, sum, best, cut] = [0, 0, -1, 1];
  for (let bucket = 0; bucket + 1 < buckets; bucket++) {
    weight += bucketWeights[bucket] as number;
    sum += bucketSums[bucket] as number;
    const rest = totalWeight - weight;
    if (weight <= 0 || rest <= 0) continue;
    const separation = sum ** 2 / weight + (totalSum - sum) ** 2 / rest;
    if (separation > best) {
      best = separation;
      cut = bucket + 1;
    }
  }
  return cut;
}
