import type { Channels, Raster } from "../../raster/raster.ts";

/** The picture without alpha where all of it is opaque, and as grey where it has no colour and no profile for colours. */
export function withoutIdleChannels(picture: Raster<Uint8Array>): Raster<Uint8Array> {
  const { channels, data, profile } = picture;
  const hasAlpha = channels === 2 || channels === 4;
  const isOpaque = hasAlpha && every(data, channels, (at) => data[at + channels - 1] === 255);
  const isGrey =
    channels > 2 && !profile && every(data, channels, (at) => data[at] === data[at + 1] && data[at] === data[at + 2]);
  if (!isOpaque && !isGrey) return picture;
  const colours = isGrey || channels < 3 ? 1 : 3;
  const kept = (colours + (hasAlpha && !isOpaque ? 1 : 0)) as Channels; // 1 to 4
  const left = new Uint8Array((data.length / channels) * kept);
  for (let from = 0, to = 0; from < data.length; from += channels, to += kept) {
    for (let colour = 0; colour < colours; colour++) left[to + colour] = data[from + colour] as number;
    if (kept > colours) left[to + colours] = data[from + channels - 1] as number;
  }
  return { ...picture, channels: kept, data: left };
}

function every(data: Uint8Array, channels: number, holds: (at: number) => boolean): boolean {
  for (let at = 0; at < data.length; at += channels) if (!holds(at)) return false;
  return true;
}
