// The two inner loops of resampling. They cost more than everything else together, so they are unrolled by number of
// channels and rows: a loop over channels inside the taps ran at 0.6 of this speed. `as number` is used where an index
// is in range by construction; a checked read costs time in these loops.
import type { Taps } from "./taps.ts";

/** Resamples one interleaved row to the width of the taps. `to` has taps.first.length * channels values. */
export function resampleAcross(
  from: Float32Array,
  { taps, channels }: { taps: Taps; channels: number },
  to: Float32Array,
) {
  if (channels === 3) acrossThree(from, taps, to);
  else if (channels === 4) acrossFour(from, taps, to);
  else for (let channel = 0; channel < channels; channel++) acrossOne(from, { taps, channels, channel }, to);
}

function acrossOne(
  from: Float32Array,
  { taps, channels, channel }: { taps: Taps; channels: number; channel: number },
  to: Float32Array,
): void {
  const { first, weights, count } = taps;
  const width = first.length;
  for (let x = 0, tap = 0, out = channel; x < width; x++, out += channels) {
    const end = tap + count;
    let at = (first[x] as number) * channels + channel;
    let sum = 0;
    for (; tap < end; tap++, at += channels) sum += (weights[tap] as number) * (from[at] as number);
    to[out] = sum;
  }
}

function acrossThree(from: Float32Array, { first, weights, count }: Taps, to: Float32Array): void {
  const width = first.length;
  for (let x = 0, tap = 0, out = 0; x < width; x++, out += 3) {
    const end = tap + count;
    let at = (first[x] as number) * 3;
    let a = 0;
    let b = 0;
    let c = 0;
    for (; tap < end; tap++, at += 3) {
      const weight = weights[tap] as number;
      a += weight * (from[at] as number);
      b += weight * (from[at + 1] as number);
      c += weight * (from[at + 2] as number);
    }
    to[out] = a;
    to[out + 1] = b;
    to[out + 2] = c;
  }
}

function acrossFour(from: Float32Array, { first, weights, count }: Taps, to: Float32Array): void {
  const width = first.length;
  for (let x = 0, tap = 0, out = 0; x < width; x++, out += 4) {
    const end = tap + count;
    let at = (first[x] as number) * 4;
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    for (; tap < end; tap++, at += 4) {
      const weight = weights[tap] as number;
      a += weight * (from[at] as number);
      b += weight * (from[at + 1] as number);
      c += weight * (from[at + 2] as number);
      d += weight * (from[at + 3] as number);
    }
    to[out] = a;
    to[out + 1] = b;
    to[out + 2] = c;
    to[out + 3] = d;
  }
}

export type WeighedRows = {
  /** A ring buffer: row y of the source is rows[y % rows.length]. */
  rows: Float32Array[];
  first: number;
  weights: Float32Array;
};

/** The weighted sum of as many rows as there are weights. Six at a time, so that an enlargement takes one pass. */
export function blendRows({ rows, first, weights }: WeighedRows, to: Float32Array): void {
  const row = (t: number) => rows[(first + Math.min(t, weights.length - 1)) % rows.length] as Float32Array;
  const weight = (t: number) => (t < weights.length ? (weights[t] as number) : 0);
  for (let t = 0; t < weights.length; t += 6) {
    if (t === 0) to.fill(0);
    addSix(
      [row(t), row(t + 1), row(t + 2), row(t + 3), row(t + 4), row(t + 5)],
      [weight(t), weight(t + 1), weight(t + 2), weight(t + 3), weight(t + 4), weight(t + 5)],
      to,
    );
  }
}

type Six<T> = [T, T, T, T, T, T];

function addSix([a, b, c, d, e, f]: Six<Float32Array>, [p, q, r, s, t, u]: Six<number>, to: Float32Array): void {
  const length = to.length;
  for (let i = 0; i < length; i++)
    to[i] =
      (to[i] as number) +
      (a[i] as number) * p +
      (b[i] as number) * q +
      (c[i] as number) * r +
      (d[i] as number) * s +
      (e[i] as number) * t +
      (f[i] as number) * u;
}
