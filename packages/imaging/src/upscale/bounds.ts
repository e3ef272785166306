import type { Raster, Rectangle } from "@tintype/codecs/raster";

/** The permitted range of each pixel and channel of an enlarged region. */
export type Bounds = { region: Rectangle; channels: number; low: Int32Array; high: Int32Array };

/**
 * The minimum and the maximum of each pixel's 3x3 neighbourhood in the source, extended by `slack` times their
 * difference.
 */
export function boundsOf(source: Raster, { region, slack }: { region: Rectangle; slack: number }): Bounds {
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
  { data, width, height, channels }: Raster,
  { left, top, slack }: { left: number; top: number; slack: number },
  { low, high, from, length }: Row,
): void {
  const stride = width * channels;
  const [first, end] = [top * stride, (top + 1) * stride];
  const above = top > 0 ? stride : 0;
  const below = top + 1 < height ? stride : 0;
  for (let i = from, at = first + left * channels; i < from + length; i += 1, at += 1) {
    const before = at - channels >= first ? channels : 0;
    const after = at + channels < end ? channels : 0;
    let least = data[at] as number;
    let greatest = least;
    for (let place = at - above; place <= at + below; place += stride)
      for (let k = place - before; k <= place + after; k += channels) {
        const value = data[k] as number;
        if (value < least) least = value;
        else if (value > greatest) greatest = value;
      }
    const more = Math.floor(slack * (greatest - least));
    low[i] = least - more;
    high[i] = greatest + more;
  }
}
