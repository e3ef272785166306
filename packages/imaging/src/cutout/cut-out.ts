import { emptyRectangle, fullScale, type IntegerSamples, isEmpty, type Rectangle, unite } from "@tintype/codecs/raster";
import type { PictureFile } from "../raster/picture-file.ts";
import {
  type CutInputs,
  cutTile,
  lattice,
  nextTile,
  openBox,
  type Rows,
  shareTaken,
  stopTileRow,
  type TileRow,
} from "./cut-tile.ts";
import { edgeCells } from "./edge-band.ts";
import { cellPx, type Matte } from "./matte.ts";
import { findOutline } from "./outline.ts";
import { createScratch, type Scratch } from "./planes.ts";
import type { Profile } from "./profiles.ts";
import type { TileThreads } from "./tile-threads.ts";

/** `seen`: the bounding box, px, of all visible pixels; undefined if nothing is visible. */
type CutOut = { seen: Rectangle | undefined };

type Context = {
  matte: Matte;
  profile: Profile;
  /**
   * Worker threads that cut tiles in parallel; without them the calling thread does all of it. The result is the same.
   */
  threads?: TileThreads | undefined;
  signal: AbortSignal;
  onProgress(fraction: number): void;
};

/**
 * Cuts the subject out of the decoded picture, in place, tile by tile: memory holds one row of tiles with its margins,
 * whatever the picture's size.
 * @param matte cleaned; it covers the whole subject
 */
export async function cutOut(
  work: PictureFile,
  { matte, profile, threads, signal, onProgress }: Context,
): Promise<CutOut> {
  const cutting = cuttingOf(matte, profile);
  const around = surroundingPx(matte, profile);
  const side = Math.min(1024, Math.max(512, 6 * around));
  const buffers = { from: rowsBuffer(work, side + 2 * around + lattice), to: rowsBuffer(work, side) };
  const scratch = createScratch();
  let before: Rows | undefined;
  let seen: Rectangle = emptyRectangle;
  for (let top = 0; top < work.height; top += side) {
    const height = Math.min(side, work.height - top);
    const from = await readWithSurroundings(work, { top, height, around, before, buffer: buffers.from });
    const to: Rows = { ...from, top, samples: buffers.to.subarray(0, height * work.width * work.channels).fill(0) };
    const tiles = tilesOf(work, { top, height, side });
    const tileRow = { from, to, cutting, around, tiles, taken: new Int32Array(new SharedArrayBuffer(4)) };
    const onTile = (share: number) => onProgress((top + share * height) / work.height);
    await cutTileRow(tileRow, { threads, signal, onTile, scratch });
    work.writeRows(top, to.samples);
    seen = unite(seen, boxSeen(to));
    before = from;
  }
  return { seen: isEmpty(seen) ? undefined : seen };
}

type Cutters = {
  threads: TileThreads | undefined;
  scratch: Scratch;
  signal: AbortSignal;
  onTile(share: number): void;
};

/** Tiles are independent: each thread takes the next free one. */
async function cutTileRow(tileRow: TileRow, { threads, scratch, signal, onTile }: Cutters): Promise<void> {
  const open = tileRow.tiles.filter((tile) => openBox(tile, tileRow.cutting)).length;
  const helping = open > 1 ? threads?.help(tileRow, open - 1) : undefined;
  helping?.catch(() => stopTileRow(tileRow));
  try {
    for (let tile = nextTile(tileRow); tile; tile = nextTile(tileRow)) {
      signal.throwIfAborted();
      cutTile(tile, { ...tileRow, scratch });
      onTile(shareTaken(tileRow));
      await yieldToEventLoop();
    }
  } finally {
    stopTileRow(tileRow);
    await helping;
  }
}

type Row = { top: number; height: number; side: number };

const tilesOf = ({ width }: PictureFile, { top, height, side }: Row): Rectangle[] =>
  Array.from({ length: Math.ceil(width / side) }, (_, i) => ({
    left: i * side,
    top,
    width: Math.min(side, width - i * side),
    height,
  }));

/** In memory shared between threads. */
function cuttingOf(matte: Matte, profile: Profile): CutInputs {
  const { reach, softness } = findOutline(matte, profile);
  const outline = { reach: shared(reach), softness: shared(softness) };
  const cells = { inside: shared(cellsInside(matte)), edge: shared(edgeCells(matte, outline)) };
  return { matte: { ...matte, values: shared(matte.values) }, outline, profile, cells };
}

function shared<T extends Float32Array | Uint8Array>(values: T): T;
function shared(values: Float32Array | Uint8Array): Float32Array | Uint8Array {
  const memory = new SharedArrayBuffer(values.byteLength);
  const copy = values instanceof Float32Array ? new Float32Array(memory) : new Uint8Array(memory);
  copy.set(values);
  return copy;
}

function rowsBuffer({ width, height, channels, depth }: PictureFile, rows: number): IntegerSamples {
  const memory = new SharedArrayBuffer((Math.min(rows, height) * width * channels * depth) / 8);
  return depth === 16 ? new Uint16Array(memory) : new Uint8Array(memory);
}

const cellsInside = ({ values }: Matte): Uint8Array => {
  const cells = new Uint8Array(values.length);
  for (let cell = 0; cell < cells.length; cell += 1) if ((values[cell] as number) > 0.5) cells[cell] = 1;
  return cells;
};

/** The lowest visible alpha, 0..1. */
const visible = 0.05;

function boxSeen({ samples, width, channels, top }: Rows): Rectangle {
  const least = visible * fullScale(samples);
  let box = emptyRectangle;
  for (let row = 0, start = channels - 1; start < samples.length; row += 1, start += width * channels) {
    let [first, last] = [0, width - 1];
    while (first < width && (samples[start + first * channels] as number) <= least) first += 1;
    if (first === width) continue;
    while ((samples[start + last * channels] as number) <= least) last -= 1;
    box = unite(box, { left: first, top: top + row, width: last - first + 1, height: 1 });
  }
  return box;
}

/**
 * One and a half times an outline's reach, so that certain pixels of both sides are included. Bounded to limit memory.
 */
const surroundingPx = (matte: Matte, { reach }: Profile) =>
  Math.ceil(Math.min(256, Math.max(48, 1.5 * (reach.soft + 4) * cellPx(matte))));

type ReadRange = { top: number; height: number; around: number; before: Rows | undefined; buffer: IntegerSamples };

/** The rows above have been overwritten: they come from the previous read. */
async function readWithSurroundings(
  work: PictureFile,
  { top, height, around, before, buffer }: ReadRange,
): Promise<Rows> {
  const { width, channels } = work;
  const first = Math.max(0, Math.floor((top - around) / lattice) * lattice);
  const end = Math.min(work.height, top + height + around);
  const rowLength = width * channels;
  const known = before ? before.top + before.samples.length / rowLength : first;
  if (before) buffer.copyWithin(0, (first - before.top) * rowLength, before.samples.length);
  buffer.set(work.readRows({ first: known, count: end - known }), (known - first) * rowLength);
  return { samples: buffer.subarray(0, (end - first) * rowLength), width, channels, top: first };
}

/** Yields to the event loop between tiles, so that messages, a cancellation among them, are handled. */
const yieldToEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve));
