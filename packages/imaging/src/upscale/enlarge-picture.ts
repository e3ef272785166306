import type { OpenModel } from "../model/inference.ts";
import { layOutTiles, type Rectangle, type Tile } from "../model/tiles.ts";
import type { Raster } from "../resample/samples.ts";
import { boundsOf } from "./bounds.ts";
import { allocateLike, cutChannels, type Samples } from "./cut.ts";
import { looksDrawn } from "./drawn.ts";
import { holdWithin } from "./hold.ts";
import { keepMean, meanReachPx } from "./keep-mean.ts";
import { enlarge } from "./network.ts";
import type { RawFile } from "./raw-file.ts";

type Enlarging = {
  /** Grey, grey and alpha, RGB, or RGB and alpha. Under transparency stand colours that may be looked at. */
  picture: Raster<Samples>;
  /** As large as the picture times the model's scale. */
  file: RawFile;
  signal: AbortSignal;
  /** Told what part is done, after each tile. */
  progress(fraction: number): void;
  /** Pixels of a tile with what it sees around. */
  maxPixels?: number;
};

/** Large tiles see little twice (15 px on each side of 512 are a tenth), and take memory: the rows' `memoryMb`. */
const defaultTilePixels = 540 * 540;

/**
 * Enlarges the picture tile by tile into the file: to the bit what one tile over all of it would give.
 * @throws the signal's reason, between two tiles
 */
export async function enlargePicture(model: OpenModel, enlarging: Enlarging): Promise<void> {
  const { picture, file, signal, progress, maxPixels = defaultTilePixels } = enlarging;
  const { width, height } = picture;
  const meanPx = looksDrawn(picture) ? meanReachPx : 0;
  const reachPx = Math.max(1, model.row.reachPx ?? 0) + meanPx;
  const tiles = layOutTiles({ width, height, reachPx, maxPixels });
  for (const [i, tile] of tiles.entries()) {
    signal.throwIfAborted();
    const enlarged = await enlargeTile(model, picture, { tile, meanPx });
    writeCore(file, enlarged, { tile, scale: model.row.output.scale });
    progress((i + 1) / tiles.length);
  }
}

/** `meanPx`: how far around a tile's core its mean is looked at, px; 0: not at all. */
type Part = { tile: Tile; meanPx: number };

async function enlargeTile(model: OpenModel, picture: Raster<Samples>, part: Part): Promise<Raster<Samples>> {
  const { channels, hasAlpha } = picture;
  const colours = await enlargeChannels(model, picture, { ...part, first: 0, count: channels < 3 ? 1 : 3, slack: 1 });
  if (!hasAlpha) return colours;
  // By the same model: edges of alpha are then as sharp as those of the colours, and lie where these do.
  const alpha = await enlargeChannels(model, picture, { ...part, first: channels - 1, count: 1, slack: 0 });
  return joinAlpha(colours, alpha);
}

type Channels = Part & { first: number; count: number; slack: number };

async function enlargeChannels(model: OpenModel, picture: Raster<Samples>, wanted: Channels): Promise<Raster<Samples>> {
  const { tile, meanPx, first, count, slack } = wanted;
  const source = cutChannels(picture, { around: tile.around, first, count });
  const { scale } = model.row.output;
  if (count === 1 && source.data.every((value) => value === source.data[0])) return filled(source, scale); // most alpha
  const enlarged = await enlarge(model, source);
  const bounds = boundsOf(source, { region: regionOf(tile, meanPx), slack });
  holdWithin(enlarged, { bounds, scale });
  if (meanPx > 0) keepMean(enlarged, { source, scale, bounds });
  return enlarged;
}

/** A tile's core and `margin` px around it, px from the corner of what the tile sees. */
function regionOf({ core, around }: Tile, margin: number): Rectangle {
  return {
    left: core.left - around.left - margin,
    top: core.top - around.top - margin,
    width: core.width + 2 * margin,
    height: core.height + 2 * margin,
  };
}

function filled({ data, width, height }: Raster<Samples>, scale: number): Raster<Samples> {
  const size = { width: width * scale, height: height * scale };
  return { data: allocateLike(data, size.width * size.height).fill(data[0] ?? 0), ...size, channels: 1 };
}

/** Colours that cannot be seen at all become 0, which packs best. */
function joinAlpha(colours: Raster<Samples>, alpha: Raster<Samples>): Raster<Samples> {
  const { data, channels, width, height } = colours;
  const joined = allocateLike(data, alpha.data.length * (channels + 1));
  for (let i = 0, at = 0, out = 0; i < alpha.data.length; i += 1, out += channels + 1) {
    const own = alpha.data[i] as number;
    for (let c = 0; c < channels; c += 1, at += 1) joined[out + c] = own === 0 ? 0 : (data[at] as number);
    joined[out + channels] = own;
  }
  return { data: joined, width, height, channels: channels + 1, hasAlpha: true };
}

function writeCore(
  file: RawFile,
  { data, width, channels }: Raster<Samples>,
  { tile: { core, around }, scale }: { tile: Tile; scale: number },
): void {
  const skipped = (core.top - around.top) * scale * width + (core.left - around.left) * scale;
  file.write(data, {
    left: core.left * scale,
    top: core.top * scale,
    rows: core.height * scale,
    from: skipped * channels,
    length: core.width * scale * channels,
    stride: width * channels,
  });
}
