import {
  allocateLike,
  type Channels,
  hasAlpha,
  type IntegerSamples,
  type Raster,
  type Rectangle,
} from "@tintype/codecs/raster";
import type { OpenModel } from "../model/inference.ts";
import { planesOf } from "../model/tensor.ts";
import { layOutTiles, type Tile } from "../model/tiles.ts";
import { looksDrawn } from "../quality/looks-drawn.ts";
import type { PictureFile } from "../raster/picture-file.ts";
import { boundsOf } from "./bounds.ts";
import { clampBytes } from "./clamp-bytes.ts";
import { clampToBounds } from "./clamp-to-source.ts";
import { enlargeAlpha } from "./enlarge-alpha.ts";
import { keepMean, meanReachPx } from "./keep-mean.ts";

type EnlargeOptions = {
  /** Grey, grey and alpha, RGB, or RGBA. `bleedColours` has filled the colours of transparent pixels. */
  picture: Raster;
  /** As large as the picture times the scale. */
  file: PictureFile;
  /** The model's own scale, or half of it: the result is then averaged down. Default: the model's own. */
  scale?: 2 | 4;
  signal: AbortSignal;
  /** Receives the completed share after each tile. */
  progress(fraction: number): void;
  /** Pixels of a tile including its margins. */
  maxPixels?: number;
};

/**
 * Large tiles waste less on overlap (a receptive field of 21 px on each side of 540 px is 15 % of a tile), but take
 * more memory: the rows' `memoryMb`.
 */
const defaultTilePixels = 540 * 540;

/**
 * Enlarges the picture tile by tile into the file, bit for bit as a single tile would. This thread computes along with
 * the model's others, and nothing else runs meanwhile.
 * @throws the signal's reason, between two tiles
 */
export async function enlargePicture(model: OpenModel, enlarging: EnlargeOptions): Promise<void> {
  const { picture, file, signal, progress, scale = scaleOf(model) } = enlarging;
  const { tiles, meanPx } = layOut(model, enlarging);
  for (const [i, tile] of tiles.entries()) {
    const parts = await computeTile(model, picture, { tile, scale });
    signal.throwIfAborted();
    const enlarged = joinAlpha(parts.map((part) => finish(part, { tile, meanPx })));
    writeCore(file, enlarged, { tile, scale });
    progress((i + 1) / tiles.length);
  }
}

/** `meanPx`: the margin around a tile's core for `keepMean`, px; 0: no correction. */
type Layout = { tiles: Tile[]; meanPx: number };

function layOut(model: OpenModel, { picture, maxPixels = defaultTilePixels }: EnlargeOptions): Layout {
  const { width, height } = picture;
  const meanPx = looksDrawn(picture) ? meanReachPx : 0;
  const reachPx = Math.max(1, model.row.reachPx ?? 0) + meanPx;
  // At the picture's edges the networks do best with the padding they were trained with: mirroring the picture instead
  // costs 0.14 dB on Set5 and Set14 within 3 px of the edges at x2, 0.05 dB at x4.
  return { tiles: layOutTiles({ width, height, reachPx, edgePx: meanPx, maxPixels }), meanPx };
}

/** Some channels of a tile's input, before and after. */
type Part = { source: Raster; enlarged: Raster; scale: 2 | 4; isAlpha: boolean };

async function computeTile(
  model: OpenModel,
  picture: Raster,
  { tile, scale }: { tile: Tile; scale: 2 | 4 },
): Promise<Part[]> {
  const { channels } = picture;
  const colours = cutChannels(picture, { around: tile.around, first: 0, count: channels < 3 ? 1 : 3 });
  const parts: Part[] = [
    {
      source: colours,
      enlarged: isFlat(colours) ? filled(colours, scale) : await enlargeTo(scale, model, colours),
      scale,
      isAlpha: false,
    },
  ];
  if (!hasAlpha(channels)) return parts;
  const alpha = cutChannels(picture, { around: tile.around, first: channels - 1, count: 1 });
  const enlarged = isFlat(alpha) ? filled(alpha, scale) : enlargeAlpha(alpha, scale);
  return [...parts, { source: alpha, enlarged, scale, isAlpha: true }];
}

/** One channel of one value, as the alpha of most tiles. */
const isFlat = ({ data, channels }: Raster): boolean => channels === 1 && data.every((value) => value === data[0]);

async function enlargeTo(scale: 2 | 4, model: OpenModel, source: Raster): Promise<Raster> {
  const enlarged = await enlarge(model, source);
  return scale === scaleOf(model) ? enlarged : halved(enlarged);
}

/** Averages 2x2 pixels. */
function halved({ data, width, height, channels }: Raster): Raster {
  const size = { width: width / 2, height: height / 2 };
  const half = allocateLike(data, size.width * size.height * channels);
  const [stride, step] = [width * channels, size.width * channels];
  for (let out = 0; out < half.length; out += 1) {
    const [y, x] = [Math.floor(out / step), out % step];
    const at = 2 * y * stride + 2 * x - (x % channels);
    const upper = (data[at] as number) + (data[at + channels] as number);
    const lower = (data[at + stride] as number) + (data[at + stride + channels] as number);
    half[out] = (upper + lower + 2) >> 2;
  }
  return { data: half, ...size, channels };
}

function scaleOf({ row }: OpenModel): 2 | 4 {
  const { scale } = row.output;
  if (scale !== 2 && scale !== 4) throw new Error(`${row.name} enlarges ${scale} times`);
  return scale;
}

/** Clamps the enlarged tile to its source. */
function finish({ source, enlarged, scale, isAlpha }: Part, { tile, meanPx }: { tile: Tile; meanPx: number }) {
  const region = regionOf(tile, isAlpha ? 0 : meanPx);
  const slack = isAlpha ? 0 : 1;
  // Only a network shifts light.
  const isMeanKept = meanPx === 0 || isAlpha;
  if (isMeanKept && isBytes(source) && isBytes(enlarged)) {
    clampBytes(enlarged, { source, region, scale, slack });
    return enlarged;
  }
  const bounds = boundsOf(source, { region, slack });
  clampToBounds(enlarged, { bounds, scale });
  if (!isMeanKept) keepMean(enlarged, { source, scale, bounds });
  return enlarged;
}

const isBytes = (raster: Raster): raster is Raster<Uint8Array> => raster.data instanceof Uint8Array;

/** A tile's core and `margin` px around it, px from the corner of `around`. */
function regionOf({ core, around }: Tile, margin: number): Rectangle {
  return {
    left: core.left - around.left - margin,
    top: core.top - around.top - margin,
    width: core.width + 2 * margin,
    height: core.height + 2 * margin,
  };
}

function filled({ data, width, height }: Raster, scale: number): Raster {
  const size = { width: width * scale, height: height * scale };
  return { data: allocateLike(data, size.width * size.height).fill(data[0] ?? 0), ...size, channels: 1 };
}

/** Joins colours and, if present, alpha. Colours of transparent pixels become 0, which compresses best. */
function joinAlpha([colours, alpha]: readonly Raster[]): Raster {
  if (!colours) throw new Error("a tile has colours");
  if (!alpha) return colours;
  const { data, channels, width, height } = colours;
  const joined = allocateLike(data, alpha.data.length * (channels + 1));
  for (let i = 0, at = 0, out = 0; i < alpha.data.length; i += 1, out += channels + 1) {
    const own = alpha.data[i] as number;
    for (let c = 0; c < channels; c += 1, at += 1) joined[out + c] = own === 0 ? 0 : (data[at] as number);
    joined[out + channels] = own;
  }
  return { data: joined, width, height, channels: channels === 1 ? 2 : 4 };
}

function writeCore(
  file: PictureFile,
  { data, width, channels }: Raster,
  { tile: { core, around }, scale }: { tile: Tile; scale: number },
): void {
  const skipped = (core.top - around.top) * scale * width + (core.left - around.left) * scale;
  file.writePart(data, {
    left: core.left * scale,
    top: core.top * scale,
    rows: core.height * scale,
    from: skipped * channels,
    length: core.width * scale * channels,
    stride: width * channels,
  });
}

type ChannelCut = { around: Rectangle; first: number; count: Channels };

/** Some channels of a crop. Beyond the picture's edges it is mirrored, edge pixels repeated (half-sample symmetry). */
function cutChannels(picture: Raster, { around, first, count }: ChannelCut): Raster {
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

/** The index in the picture of a mirrored position: -1 is 0, -2 is 1. */
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

/** One or three channels enlarged by the model, in samples of the same type, rounded and clamped. */
export async function enlarge(model: OpenModel, tile: Raster): Promise<Raster> {
  return tile.channels === 1 ? meanOf(await enlargeRgb(model, tripled(tile))) : enlargeRgb(model, tile);
}

async function enlargeRgb(model: OpenModel, { data, width, height }: Raster): Promise<Raster> {
  const { scale } = model.row.output;
  const size = { heightPx: height, widthPx: width };
  const enlarged = { width: width * scale, height: height * scale, channels: 3 } as const;
  if (model.row.values === "uint8") {
    if (data instanceof Uint16Array) throw new Error("a model of bytes was given samples of 16 bits");
    return { data: await model.runBytes(data, size), ...enlarged };
  }
  const planes = await model.run(planesOf(data, { channels: 3, input: model.row.input }), size);
  return { data: interleave(planes, allocateLike(data, planes.length)), ...enlarged };
}

/** Float32 [3, height, width], 0..1, as interleaved samples. */
function interleave(planes: Float32Array, to: IntegerSamples): IntegerSamples {
  const area = planes.length / 3;
  const full = to instanceof Uint16Array ? 65_535 : 255;
  for (let channel = 0; channel < 3; channel += 1)
    for (let i = channel * area, out = channel; out < to.length; i += 1, out += 3)
      to[out] = (planes[i] as number) * full + 0.5; // the row's range clamps to 0..1; storing truncates
  return to;
}

function tripled({ data, width, height }: Raster): Raster {
  const rgb = allocateLike(data, data.length * 3);
  for (let i = 0, out = 0; i < data.length; i += 1, out += 3)
    rgb[out] = rgb[out + 1] = rgb[out + 2] = data[i] as number;
  return { data: rgb, width, height, channels: 3 };
}

function meanOf({ data, width, height }: Raster): Raster {
  const plane = allocateLike(data, width * height);
  for (let i = 0, at = 0; i < plane.length; i += 1, at += 3)
    plane[i] = ((data[at] as number) + (data[at + 1] as number) + (data[at + 2] as number)) / 3 + 0.5;
  return { data: plane, width, height, channels: 1 };
}
