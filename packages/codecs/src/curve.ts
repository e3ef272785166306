/** The points of a rising piecewise linear function, by ascending `x`. */
export type Curve = readonly (readonly [x: number, y: number])[];

/** The value at `x`, interpolated linearly; constant before the first point and after the last one. */
export function valueAt(curve: Curve, x: number): number {
  const upper = curve.findIndex(([at]) => at >= x);
  const above = curve[upper] ?? curve.at(-1);
  const below = curve[upper - 1];
  if (!above) throw new RangeError("A curve needs points.");
  if (!below || upper < 0) return above[1];
  return below[1] + ((above[1] - below[1]) * (x - below[0])) / (above[0] - below[0]);
}

/** The inverse function: from `y` to `x`. */
export const inverse = (curve: Curve): Curve => curve.map(([x, y]) => [y, x] as const);
