import { type Channels, hasAlpha } from "../raster/raster.ts";

/**
 * Linear light of a stored value, both 0..1, by the sRGB curve. Pictures in another RGB profile use it too: Display P3
 * has the same curve, and Adobe RGB's is a power of 2.2, close enough for weighting neighbours. Averages return through
 * the same curve, so flat colours do not change in any profile. Source: IEC 61966-2-1, with the threshold of its
 * amendment 1.
 */
export function toLight(stored: number): number {
  if (stored <= 0.04045) return stored / 12.92;
  return ((stored + 0.055) / 1.055) ** 2.4;
}

/** The inverse of `toLight`. Light outside 0..1 is clamped. */
function fromLight(light: number): number {
  if (light <= 0) return 0;
  if (light >= 1) return 1;
  if (light <= 0.0031308) return light * 12.92;
  return 1.055 * light ** (1 / 2.4) - 0.055;
}

type RowShape = { channels: Channels; full: number };

/** The same for whole rows in place, with values of 0..full; alpha is left as it is. */
export function rowLight({ channels, full }: RowShape) {
  const colours = hasAlpha(channels) ? channels - 1 : channels;
  const apply = (row: Float32Array, curve: (value: number) => number) => {
    for (let pixel = 0; pixel < row.length; pixel += channels)
      for (let i = pixel; i < pixel + colours; i++) row[i] = curve(row[i] as number);
  };
  // Integers are looked up: a power for each sample of a large picture takes longer than everything else here.
  const table = full === 1 ? undefined : Float32Array.from({ length: full + 1 }, (_, i) => toLight(i / full) * full);
  return {
    toLight: (row: Float32Array) => apply(row, table ? (value) => table[value] as number : toLight),
    fromLight: (row: Float32Array) => apply(row, (value) => fromLight(value / full) * full),
  };
}
