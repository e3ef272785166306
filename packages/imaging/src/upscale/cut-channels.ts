import { allocateLike, type Channels, type IntegerSamples, type Raster, type Rectangle } from "../raster/raster.ts";

type Cut = { around: Rectangle; first: number; count: Channels };

/** Some channels of a part of the picture. Beyond its edges the picture goes on mirrored, edge pixels twice. */
export function cutChannels(picture: Raster, { around, first, count }: Cut): Raster {
  const { width, height } = around;
  const data = allocateLike(picture.data, width * height * count);
  const columns = Int32Array.from({ length: width }, (_, x) => mirrored(around.left + x, picture.width));
  const isInside = around.left >= 0 && around.left + width <= picture.width;
  for (let y = 0; y < height; y += 1) {
    const row = mirrored(around.top + y, picture.height) * picture.width * picture.channels;
    const out = y * width * count;
    if (isInside && count === picture.channels) {
      const from = row + around.left * count;
      data.set(picture.data.subarray(from, from + width * count), out);
    } else copyRow(picture, { row, columns, first, count }, { data, out });
  }
  return { data, width, height, channels: count };
}

/** The pixel that stands at a place of a picture that is mirrored over and over: -1 is 0, -2 is 1. */
function mirrored(at: number, length: number): number {
  const turn = ((at % (2 * length)) + 2 * length) % (2 * length);
  return turn < length ? turn : 2 * length - 1 - turn;
}

type Row = { row: number; columns: Int32Array; first: number; count: number };

function copyRow(
  { data: from, channels }: Raster,
  { row, columns, first, count }: Row,
  { data, out }: { data: IntegerSamples; out: number },
): void {
  for (let x = 0, to = out; x < columns.length; x += 1) {
    const at = row + (columns[x] as number) * channels + first;
    for (let c = 0; c < count; c += 1, to += 1) data[to] = from[at + c] as number;
  }
}
