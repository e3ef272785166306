// Beside a bright edge Lanczos' lobes remove light. In linear light, white pulls a dark grey down to black, which shows
// as an outline around every letter of a dark interface. Shrinking in linear light therefore keeps, on each axis, half
// the light of the darkest sample under its taps: grey 51 beside white then falls to 35 at most; before it fell to 0,
// and to 28 in gamma space. Brighter greys and all overshoot upwards stay as the kernel makes them. kernels/assembly/shrink.ts does
// the same; it may see up to seven samples more, which makes its floor no higher.
import type { Taps } from "./taps.ts";

/** Raises a row that `resampleAcross` made from `from` to its floor. */
export function raiseAcross(
  from: Float32Array,
  { taps: { first, count }, channels }: { taps: Taps; channels: number },
  to: Float32Array,
): void {
  for (let out = 0; out < to.length; out++) {
    const channel = out % channels;
    const start = (first[(out - channel) / channels] as number) * channels + channel;
    let darkest = from[start] as number;
    for (let tap = 1; tap < count; tap++) darkest = Math.min(darkest, from[start + tap * channels] as number);
    to[out] = Math.max(to[out] as number, darkest / 2);
  }
}

/** Raises a row that `blendRows` made from all of `rows` to its floor. */
export function raiseRows(rows: Float32Array[], to: Float32Array): void {
  for (let i = 0; i < to.length; i++) {
    let darkest = Number.POSITIVE_INFINITY;
    for (const row of rows) darkest = Math.min(darkest, row[i] as number);
    to[i] = Math.max(to[i] as number, darkest / 2);
  }
}
