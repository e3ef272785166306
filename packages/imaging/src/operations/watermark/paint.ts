import type { Rectangle, RowReader, RowWriter, Size } from "@tintype/codecs/raster";
import type { Steps } from "../../resample/steps.ts";

/**
 * What is painted over a picture: RGBA of 8 bits, in the picture's colours, at its place; `isTiled`: all over it, each
 * second row of marks shifted by half of the way to the next mark.
 */
export type Mark = { rows: RowReader<Uint8Array>; box: Rectangle; opacity: number; isTiled: boolean };

/** The distance from one of the marks to the next, as a multiple of its longer side beside its own width and height. */
const gap = 0.35;

/** The part of a mark's row that lies on a row of the picture: it begins at `from`, and is repeated every `step` px. */
type Stretch = { row: Uint8Array; from: number; step: number };

function stretchAt(y: number, { rows, box, isTiled }: Mark): Stretch | undefined {
  const { width, height } = box;
  if (!isTiled) {
    const isOver = y >= box.top && y < box.top + height;
    return isOver ? { row: rows.readRow(y - box.top), from: box.left, step: Number.POSITIVE_INFINITY } : undefined;
  }
  const between = Math.round(Math.max(width, height) * gap);
  const step = { across: width + between, down: height + between };
  const start = Math.floor(between / 2);
  const line = Math.floor((y - start) / step.down);
  const at = y - start - line * step.down;
  if (at >= height) return undefined;
  const shift = line % 2 === 0 ? 0 : Math.floor(step.across / 2);
  return { row: rows.readRow(at), from: start - shift, step: step.across };
}

type Painting = { picture: RowReader; to: RowWriter; mark: Mark; frame: Size };

/** Paints the mark over each frame of a picture, whose frames of the same size stand below each other. */
export function* paintMark({ picture, to, mark, frame }: Painting): Steps<void> {
  const { width, height, channels, full } = picture;
  const row = new Float32Array(width * channels);
  for (let y = 0; y < height; y += 1) {
    row.set(picture.readRow(y));
    const stretch = stretchAt(y % frame.height, mark);
    if (stretch)
      for (let from = stretch.from; from < width; from += stretch.step)
        paintRow(row, { ...stretch, from, channels, full, opacity: mark.opacity });
    to.writeRow(row, y);
    if (y % 64 === 63) yield (y + 1) / height;
  }
}

type RowPainting = Omit<Stretch, "step"> & { channels: number; full: number; opacity: number };

/** Blends straight alpha over the row, in the picture's own encoding, as browsers do. */
function paintRow(to: Float32Array, { row, from, channels, full, opacity }: RowPainting): void {
  const colours = channels < 3 ? 1 : 3;
  const hasAlpha = channels > colours;
  const scale = full / 255;
  const last = Math.min(row.length / 4, to.length / channels - from);
  for (let x = Math.max(0, -from); x < last; x += 1) {
    const over = ((row[x * 4 + 3] ?? 0) / 255) * opacity;
    if (over === 0) continue;
    const at = (from + x) * channels;
    const below = hasAlpha ? (to[at + colours] ?? 0) / full : 1;
    const sum = over + below * (1 - over);
    for (let i = 0; i < colours; i += 1)
      to[at + i] = ((row[x * 4 + i] ?? 0) * scale * over + (to[at + i] ?? 0) * below * (1 - over)) / sum;
    if (hasAlpha) to[at + colours] = sum * full;
  }
}
