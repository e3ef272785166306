import { colourAt, placeColour } from "./colour-distance.ts";
import { splitPoints } from "./split-colours.ts";

/** Packed colours and how much each counts. */
export type WeightedColours = { colours: Uint32Array; weights: Float64Array };

const refinements = 4;
/** A colour with at least this share of its group represents the group exactly, so that flat areas keep their colour. */
const dominance = 0.5;

/**
 * The `count` colours that represent all with about the least squared distance (see `colourDistance`): it splits groups
 * at their widest, and moves the colours to the means of their nearest ones (Lloyd 1957). Fewer colours give fewer.
 */
export function quantizeColours({ colours, weights }: WeightedColours, count: number): Uint32Array {
  if (colours.length <= count) return colours.slice();
  const points = toPoints(colours);
  const { groupOf, groupCount } = splitPoints({ points, weights }, count);
  let means = meansOf(points, weights, groupOf, groupCount);
  for (let round = 0; round < refinements; round++) {
    assignNearest(points, groupOf, means);
    means = meansOf(points, weights, groupOf, groupCount);
  }
  return Uint32Array.from(new Set(standIns({ colours, weights }, groupOf, means)));
}

function toPoints(colours: Uint32Array): Float64Array {
  const points = new Float64Array(colours.length * 3);
  colours.forEach((colour, at) => {
    placeColour(colour, points, at * 3);
  });
  return points;
}

/** [group * 4]: x, y, z of the mean, and the weight. */
function meansOf(points: Float64Array, weights: Float64Array, groupOf: Uint16Array, groupCount: number): Float64Array {
  const means = new Float64Array(groupCount * 4);
  for (let point = 0; point < weights.length; point++) {
    const weight = weights[point] as number;
    const group = (groupOf[point] as number) * 4;
    for (let axis = 0; axis < 3; axis++)
      means[group + axis] = (means[group + axis] as number) + weight * (points[point * 3 + axis] as number);
    means[group + 3] = (means[group + 3] as number) + weight;
  }
  for (let group = 0; group < means.length; group += 4)
    for (let axis = 0; axis < 3; axis++)
      means[group + axis] = (means[group + axis] as number) / ((means[group + 3] as number) || 1);
  return means;
}

function assignNearest(points: Float64Array, groupOf: Uint16Array, means: Float64Array): void {
  // Searched outwards from the luma of the point: most means are never measured.
  const byLuma = Array.from({ length: means.length / 4 }, (_, group) => group)
    .filter((group) => (means[group * 4 + 3] as number) > 0)
    .sort((a, b) => (means[a * 4] as number) - (means[b * 4] as number));
  const lumas = Float64Array.from(byLuma, (group) => means[group * 4] as number);
  for (let point = 0; point < groupOf.length; point++) {
    const luma = points[point * 3] as number;
    const blueness = points[point * 3 + 1] as number;
    const redness = points[point * 3 + 2] as number;
    let above = lowerBound(lumas, luma);
    let below = above - 1;
    let best = Number.POSITIVE_INFINITY;
    while (true) {
      const gapAbove = above < lumas.length ? (lumas[above] as number) - luma : Number.POSITIVE_INFINITY;
      const gapBelow = below >= 0 ? luma - (lumas[below] as number) : Number.POSITIVE_INFINITY;
      const gap = Math.min(gapAbove, gapBelow);
      if (gap * gap >= best) break;
      const group = byLuma[gapAbove <= gapBelow ? above++ : below--] as number;
      const distance =
        gap * gap +
        (blueness - (means[group * 4 + 1] as number)) ** 2 +
        (redness - (means[group * 4 + 2] as number)) ** 2;
      if (distance < best) {
        best = distance;
        groupOf[point] = group;
      }
    }
  }
}

/** The first place whose value is not below `value`. */
function lowerBound(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function standIns({ colours, weights }: WeightedColours, groupOf: Uint16Array, means: Float64Array): number[] {
  const heaviest = new Int32Array(means.length / 4).fill(-1);
  for (let at = 0; at < colours.length; at++) {
    const group = groupOf[at] as number;
    const known = heaviest[group] as number;
    if (known < 0 || (weights[at] as number) > (weights[known] as number)) heaviest[group] = at;
  }
  const chosen: number[] = [];
  heaviest.forEach((at, group) => {
    if (at < 0) return;
    const [luma = 0, blueness = 0, redness = 0, weight = 0] = means.subarray(group * 4, group * 4 + 4);
    const isDominant = (weights[at] as number) >= weight * dominance;
    chosen.push(isDominant ? (colours[at] as number) : colourAt(luma, blueness, redness));
  });
  return chosen;
}
