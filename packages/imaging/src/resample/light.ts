import { fromLight, toLight } from "../colour/srgb.ts";
import { type Channels, hasAlpha } from "../raster/raster.ts";

/** Light outside 0..1 is clamped. */
function toStored(light: number): number {
  if (light <= 0) return 0;
  return light >= 1 ? 1 : fromLight(light);
}

type RowShape = { channels: Channels; full: number };

/**
 * Converts rows in place to linear light and back, with values of 0..full; alpha is left as it is. Pictures in another
 * RGB profile use the sRGB curve too: Display P3 has the same curve, and Adobe RGB's is a power of 2.2, close enough for
 * weighting neighbours. Averages return through the same curve, so flat colours do not change in any profile.
 */
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
    fromLight: (row: Float32Array) => apply(row, (value) => toStored(value / full) * full),
  };
}
