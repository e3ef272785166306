import type { IntegerSamples, Rectangle, RowReader } from "@tintype/codecs/raster";
import { widen, within } from "@tintype/codecs/raster";
import type { PictureFile } from "../../raster/picture-file.ts";

/** The box with a margin, clipped to the picture: nothing is invented beyond its edges. */
export const withMargin = (box: Rectangle, { percent, whole }: { percent: number; whole: Rectangle }): Rectangle =>
  within(widen(box, Math.round((percent / 100) * Math.max(box.width, box.height))), whole);

type ShownPart = { region: Rectangle; kept: "all" | "colours" | "alpha" };

/** A region of the picture with the requested channels. */
export function shownRows(work: PictureFile, { region, kept }: ShownPart): RowReader<IntegerSamples> {
  const { width, height } = region;
  const from = kept === "alpha" ? work.channels - 1 : 0;
  const colours = work.channels === 2 ? 1 : 3;
  const channels = ({ all: work.channels, colours, alpha: 1 } as const)[kept];
  if (width === work.width && channels === work.channels)
    return { ...work, height, readRow: (y) => work.readRow(region.top + y) };
  const row = work.depth === 16 ? new Uint16Array(width * channels) : new Uint8Array(width * channels);
  return {
    width,
    height,
    channels,
    full: work.full,
    readRow(y) {
      const samples = work.readRow(region.top + y);
      for (
        let at = 0, pixel = region.left * work.channels + from;
        at < row.length;
        at += channels, pixel += work.channels
      )
        for (let channel = 0; channel < channels; channel++) row[at + channel] = samples[pixel + channel] as number;
      return row;
    },
  };
}
