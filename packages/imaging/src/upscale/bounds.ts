import type { Rectangle } from "../model/tiles.ts";
import type { Raster } from "../resample/samples.ts";
import type { Samples } from "./cut.ts";

/** Between what the enlargement of each pixel and channel of a region may lie. */
export type Bounds = { region: Rectangle; channels: number; low: Int32Array; high: Int32Array };

/**
 * The least and the greatest of the nine pixels around each, and `slack` of the range between beyond.
 * @param region lies at least one pixel inside the source
 */
export function boundsOf(source: Raster<Samples>, { region, slack }: { region: Rectangle; slack: number }): Bounds {
  const { channels } = source;
  const length = region.width * channels;
  const low = new Int32Array(length * region.height);
  const high = new Int32Array(length * region.height);
  for (let y = 0; y < region.height; y += 1)
    boundRow(source, { left: region.left, top: region.top + y, slack }, { low, high, from: y * length, length });
  return { region, channels, low, high };
}

type Row = { low: Int32Array; high: Int32Array; from: number; length: number };

function boundRow(
  { data, width, channels }: Raster<Samples>,
  { left, top, slack }: { left: number; top: number; slack: number },
  { low, high, from, length }: Row,
): void {
  const stride = width * channels;
  for (let i = from, at = top * stride + left * channels; i < from + length; i += 1, at += 1) {
    let least = data[at] as number;
    let greatest = least;
    for (let place = at - stride - channels; place <= at + stride - channels; place += stride)
      for (let k = place; k <= place + 2 * channels; k += channels) {
        const value = data[k] as number;
        if (value < least) least = value;
        else if (value > greatest) greatest = value;
      }
    const more = Math.floor(slack * (greatest - least));
    low[i] = least - more;
    high[i] = greatest + more;
  }
}
