import type { DecodedPicture } from "../../raster/decoded-picture.ts";
import type { Raster } from "../../raster/raster.ts";

type Box = { left: number; top: number; width: number; height: number };

/** Blocks of JPEG with halved colour are so wide: a part that begins on one is coded as it would be in the whole. px */
const blockPx = 16;
const toBlock = (px: number) => Math.floor(px / blockPx) * blockPx;

/** Copies boxes of the picture side by side into one, `across` of them in a row; all have the first one's size. */
export function joinParts(picture: DecodedPicture, boxes: readonly Box[], across: number): Raster {
  const { channels, data, width: stride, profile } = picture;
  const { width = 0, height = 0 } = boxes[0] ?? {};
  const rows = Math.ceil(boxes.length / across);
  const joined = { width: across * width, height: rows * height, channels, profile };
  const length = joined.width * joined.height * channels;
  const to = data instanceof Uint16Array ? new Uint16Array(length) : new Uint8Array(length);
  for (const [i, { left, top }] of boxes.entries())
    for (let y = 0; y < height; y += 1) {
      const from = ((top + y) * stride + left) * channels;
      const row = Math.floor(i / across) * height + y;
      to.set(data.subarray(from, from + width * channels), (row * joined.width + (i % across) * width) * channels);
    }
  return { ...joined, data: to };
}

/** Boxes spread evenly over the picture, each beginning on a block: `count` of them at most, in whole rows. */
export function spreadBoxes(
  { width, height }: { width: number; height: number },
  { side, count }: { side: number; count: number },
): { boxes: Box[]; across: number } {
  const across = Math.max(1, Math.min(Math.floor(width / side), Math.round(Math.sqrt((count * width) / height))));
  const down = Math.max(1, Math.min(Math.floor(height / side), Math.floor(count / across)));
  const place = (i: number, many: number, whole: number) =>
    Math.min(toBlock(Math.max(0, ((i + 0.5) * whole) / many - side / 2)), whole - side);
  const boxes = Array.from({ length: across * down }, (_, i) => ({
    left: place(i % across, across, width),
    top: place(Math.floor(i / across), down, height),
    width: side,
    height: side,
  }));
  return { boxes, across };
}

/** The part that is looked at: in the middle where no place is asked for, within the picture, from a block on. */
export function shownBox(
  picture: { width: number; height: number },
  { left, top, part }: { left?: number | undefined; top?: number | undefined; part: number },
): Box {
  const [width, height] = [Math.min(part, picture.width), Math.min(part, picture.height)];
  const place = (wanted: number | undefined, length: number, whole: number) =>
    toBlock(Math.min(whole - length, Math.max(0, wanted ?? (whole - length) / 2)));
  return { left: place(left, width, picture.width), top: place(top, height, picture.height), width, height };
}
