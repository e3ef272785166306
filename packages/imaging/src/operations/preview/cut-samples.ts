import type { Raster, Rectangle } from "@tintype/codecs/raster";
import type { DecodedPicture } from "../../raster/decoded-picture.ts";

/** The MCU width of a 4:2:0 JPEG, px: a part aligned to it is coded as it would be in the whole. */
const blockPx = 16;
const toBlock = (px: number) => Math.floor(px / blockPx) * blockPx;

/** Joins boxes of the picture into one, `across` per row; all have the size of the first. */
export function joinParts(picture: DecodedPicture, boxes: readonly Rectangle[], across: number): Raster {
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

type Samples = { side: number; count: number };
/** Boxes of one size, and how many of them form a row of the joined picture. */
type Sampled = { boxes: Rectangle[]; across: number };

/**
 * At most `count` boxes that represent the picture, and their share of its activity. They are spaced evenly, unless
 * those miss the few busy places or show little else.
 */
export function sampleBoxes(picture: Raster, samples: Samples): Sampled & { share: number } {
  const { width, height } = picture;
  const whole = activityIn(picture, [{ left: 0, top: 0, width, height }]);
  const even = spreadBoxes(picture, samples);
  const shareIn = ({ boxes }: Sampled) => activityIn(picture, boxes) / whole;
  const pixels = even.boxes.reduce((sum, box) => sum + box.width * box.height, 0) / (width * height);
  const density = shareIn(even) / pixels;
  const isFair = (density >= 0.5 && density <= 2) || Math.min(width, height) < samples.side;
  const chosen = isFair ? even : busyBoxes(picture, samples);
  return { ...chosen, share: shareIn(chosen) };
}

/** Boxes of the grid by systematic sampling in order of activity: a busier one is more likely to be chosen. */
function busyBoxes(picture: Raster, { side, count }: Samples): Sampled {
  const grid: { box: Rectangle; activity: number }[] = [];
  for (let top = 0; top + side <= picture.height; top += side)
    for (let left = 0; left + side <= picture.width; left += side) {
      const box = { left, top, width: side, height: side };
      grid.push({ box, activity: activityIn(picture, [box]) });
    }
  grid.sort((a, b) => a.activity - b.activity);
  const total = grid.reduce((sum, { activity }) => sum + activity, 0);
  const mean = total / grid.length;
  const chosen = new Set<Rectangle>();
  let sum = 0;
  let taken = 0;
  for (const { box, activity } of grid) {
    sum += (activity + mean) / 2;
    for (; taken < count && sum >= ((taken + 0.5) * total) / count; taken += 1) chosen.add(box);
  }
  return { boxes: [...chosen], across: 1 };
}

/** Evenly spaced boxes, each aligned to a block, in whole rows. */
function spreadBoxes({ width, height }: { width: number; height: number }, { side, count }: Samples): Sampled {
  const across = Math.max(1, Math.min(Math.floor(width / side), Math.round(Math.sqrt((count * width) / height))));
  const down = Math.max(1, Math.min(Math.floor(height / side), Math.floor(count / across)));
  const place = (i: number, many: number, whole: number) =>
    Math.min(toBlock(Math.max(0, ((i + 0.5) * whole) / many - side / 2)), Math.max(0, whole - side));
  const boxes = Array.from({ length: across * down }, (_, i) => ({
    left: place(i % across, across, width),
    top: place(Math.floor(i / across), down, height),
    width: side,
    height: side,
  }));
  return { boxes, across };
}

/** The shown region: centred if no position is given, inside the picture, aligned to a block. */
export function shownBox(
  picture: { width: number; height: number },
  { left, top, part }: { left?: number | undefined; top?: number | undefined; part: number },
): Rectangle {
  const [width, height] = [Math.min(part, picture.width), Math.min(part, picture.height)];
  const place = (wanted: number | undefined, length: number, whole: number) =>
    toBlock(Math.min(whole - length, Math.max(0, wanted ?? (whole - length) / 2)));
  return { left: place(left, width, picture.width), top: place(top, height, picture.height), width, height };
}

/**
 * The activity of these boxes: the sum over their pixels of sqrt(|dx| + |dy|), green's differences to the left and the
 * upper pixel, 0..255 each. The encoded size follows it more closely than the number of pixels: in a half-empty
 * interface, the samples may well cover the other half.
 */
function activityIn(picture: Raster, boxes: readonly Rectangle[]): number {
  const { data, width: stride, channels } = picture;
  const shift = data instanceof Uint16Array ? 8 : 0;
  const green = channels > 2 ? 1 : 0;
  const pixels = boxes.reduce((sum, { width, height }) => sum + width * height, 0);
  const step = Math.max(1, Math.round(pixels / visitedPixels));
  const at = (i: number) => (data[i] ?? 0) >> shift;
  let [sum, visited] = [0, 0];
  for (const { left, top, width, height } of boxes)
    for (let y = top + 1; y < top + height; y += step) {
      visited += width - 1;
      let i = (y * stride + left + 1) * channels + green;
      for (let x = 1; x < width; x += 1, i += channels) {
        const here = at(i);
        const change = Math.abs(here - at(i - channels)) + Math.abs(here - at(i - stride * channels));
        sum += roots[change] ?? 0;
      }
    }
  return pixels * (evenActivity + sum / Math.max(1, visited));
}

const roots = Float64Array.from({ length: 511 }, (_, change) => Math.sqrt(change));
/** A pixel equal to its neighbours costs next to nothing. */
const evenActivity = 0.02;
/** In a larger area, rows are skipped. */
const visitedPixels = 1e6;
