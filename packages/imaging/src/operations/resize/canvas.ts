import type { Channels, Rectangle, RowReader, RowWriter, Size } from "@tintype/codecs/raster";
import { formats, type OutputFormat } from "@tintype/contract";
import type { Sharp } from "sharp";
import { readRows } from "../../raster/read-rows.ts";

/** What lies behind a picture: `#rrggbb`, `transparent`, or `blur`, the picture itself. */
export type Canvas = string;

/** The canvas in a format: white where it cannot be transparent. */
export const canvasIn = (canvas: Canvas, format: OutputFormat): Canvas =>
  canvas === "transparent" && !formats[format].holds.alpha ? "#ffffff" : canvas;

/** The colour under the picture's own transparent areas. Undefined: they stay as they are. */
export const colourUnder = (canvas: Canvas): string | undefined =>
  canvas === "transparent" ? undefined : canvas === "blur" ? "#ffffff" : canvas;

/** 0..255 */
const partsOf = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

const isColour = (canvas: Canvas) => canvas.startsWith("#");

/** Whether the canvas has no colour of its own: white, black and greys are the same in every profile of RGB and grey. */
export const isNeutral = (canvas: Canvas): boolean => !isColour(canvas) || new Set(partsOf(canvas)).size === 1;

/** Rows with the channels that the canvas needs beside the picture's own: colour for a grey picture, or alpha. */
export function rowsFor(canvas: Canvas, rows: RowReader): RowReader {
  return withChannels(rows, { isColoured: !isNeutral(canvas), isTransparent: canvas === "transparent" });
}

/** Rows with colour where `isColoured`, and with alpha where `isTransparent`, beside the channels that they have. */
export function withChannels(
  rows: RowReader,
  { isColoured, isTransparent = false }: { isColoured: boolean; isTransparent?: boolean },
): RowReader {
  const { channels, full, width } = rows;
  const isGrey = channels < 3;
  const hasAlpha = channels === 2 || channels === 4;
  const colours = isGrey && !isColoured ? 1 : 3;
  const wanted = (colours + (hasAlpha || isTransparent ? 1 : 0)) as Channels; // 1 to 4
  if (wanted === channels) return rows;
  const row = new Float32Array(width * wanted);
  return {
    ...rows,
    channels: wanted,
    readRow(y) {
      const from = rows.readRow(y);
      for (let x = 0; x < width; x += 1) {
        for (let i = 0; i < colours; i += 1) row[x * wanted + i] = from[x * channels + (isGrey ? 0 : i)] ?? 0;
        if (wanted > colours) row[x * wanted + colours] = hasAlpha ? (from[x * channels + channels - 1] ?? 0) : full;
      }
      return row;
    },
  };
}

/** A row of the canvas. It may be overwritten by the next call. */
export type CanvasRows = (y: number) => Float32Array;

type CanvasOptions = {
  canvas: Canvas;
  size: Size;
  /** The picture's rows, whose channels and scale the canvas has. */
  rows: Pick<RowReader, "channels" | "full">;
  /** The picture, for `blur`. */
  image: Sharp;
  depth: 8 | 16;
  temporaryPath: string;
};

export async function canvasRows({ canvas, size, rows, ...picture }: CanvasOptions): Promise<CanvasRows> {
  const { channels, full } = rows;
  if (canvas === "blur") return blurredRows(size, { channels, ...picture });
  const row = new Float32Array(size.width * channels);
  if (!isColour(canvas)) return () => row;
  const parts = partsOf(canvas).map((part) => (part / 255) * full);
  const isOpaqueAlpha = (i: number) => i === channels - 1 && channels % 2 === 0;
  for (let i = 0; i < row.length; i += 1) {
    const channel = i % channels;
    row[i] = isOpaqueAlpha(channel) ? full : (parts[channel] ?? 0);
  }
  return () => row;
}

/** px: the longer side of the reduced picture that is blurred. Nothing finer would be left. */
const blurredPx = 192;
/** Standard deviation, px of the reduced picture. */
const blurSigma = 6;

type Blurred = Pick<CanvasOptions, "image" | "depth" | "temporaryPath"> & { channels: Channels };

/** The picture, filling the canvas and blurred, enlarged bilinearly. */
async function blurredRows(size: Size, { image, depth, temporaryPath, channels }: Blurred): Promise<CanvasRows> {
  const scale = Math.min(1, blurredPx / Math.max(size.width, size.height));
  const side = (length: number) => Math.max(1, Math.round(length * scale));
  const box = { width: side(size.width), height: side(size.height) };
  const reduced = image
    .clone()
    .resize({ ...box, fit: "cover" })
    .blur(blurSigma);
  const picture = { depth, isGrey: channels < 3, hasAlpha: channels === 2 || channels === 4 };
  const sizeBytes = (box.width * box.height * channels * depth) / 8;
  const small = await readRows(reduced, { picture, sizeBytes, temporaryPath });
  const samples: Float32Array[] = [];
  for (let y = 0; y < small.height; y += 1) samples.push(Float32Array.from(small.readRow(y)));
  small.close();
  const row = new Float32Array(size.width * channels);
  const between = (to: number, { length, count }: { length: number; count: number }) => {
    const exact = Math.min(count - 1, Math.max(0, ((to + 0.5) * count) / length - 0.5));
    const first = Math.floor(exact);
    return { first, second: Math.min(count - 1, first + 1), share: exact - first };
  };
  const across = Array.from({ length: size.width }, (_, x) => between(x, { length: size.width, count: small.width }));
  return (y) => {
    const down = between(y, { length: size.height, count: small.height });
    const upper = samples[down.first] ?? row;
    const lower = samples[down.second] ?? row;
    for (const [x, { first, second, share }] of across.entries())
      for (let i = 0; i < channels; i += 1) {
        const [left, right] = [first * channels + i, second * channels + i];
        const above = (upper[left] ?? 0) * (1 - share) + (upper[right] ?? 0) * share;
        const below = (lower[left] ?? 0) * (1 - share) + (lower[right] ?? 0) * share;
        row[x * channels + i] = above * (1 - down.share) + below * down.share;
      }
    return row;
  };
}

type Placing = { size: Size; placed: Rectangle; channels: Channels; canvas: CanvasRows };

/** Writes a picture of the size of `placed` to its place, and the canvas around it. */
export function onCanvas(to: RowWriter, { size, placed, channels, canvas }: Placing): RowWriter {
  const lastRow = placed.height - 1;
  return {
    writeRow(row, y) {
      if (y === 0) for (let above = 0; above < placed.top; above += 1) to.writeRow(canvas(above), above);
      const whole = canvas(placed.top + y).slice();
      whole.set(row, placed.left * channels);
      to.writeRow(whole, placed.top + y);
      if (y === lastRow)
        for (let below = placed.top + placed.height; below < size.height; below += 1) to.writeRow(canvas(below), below);
    },
  };
}
