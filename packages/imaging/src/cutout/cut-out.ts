import { fullOf } from "../model/tensor.ts";
import { type Cutting, cutTile, lattice, type Rows } from "./cut-tile.ts";
import { cellPx, type Matte, type Region } from "./matte.ts";
import { findOutline } from "./outline.ts";
import type { Profile } from "./profiles.ts";
import type { WorkFile } from "./work-file.ts";

/** What came of it: the smallest box, px, around all that can be seen; undefined where nothing can. */
type CutOut = { seen: Region | undefined };

type Context = { matte: Matte; profile: Profile; signal: AbortSignal; onProgress(fraction: number): void };

/**
 * Cuts the subject out of the unpacked picture, in place, tile by tile: memory holds one band of tiles and what is
 * looked at around it, whatever the picture's size.
 * @param matte settled; it covers all of the subject
 */
export async function cutOut(work: WorkFile, { matte, profile, signal, onProgress }: Context): Promise<CutOut> {
  const cutting: Cutting = { matte, outline: findOutline(matte, profile), profile };
  const around = lookAround(matte, profile);
  const side = Math.min(1024, Math.max(512, 6 * around));
  let before: Rows | undefined;
  let seen: Region | undefined;
  for (let top = 0; top < work.height; top += side) {
    const height = Math.min(side, work.height - top);
    const from = await readWithSurroundings(work, { top, height, around, before });
    const to: Rows = { ...from, top, samples: from.samples.slice(0, height * work.width * work.channels) };
    for (let left = 0; left < work.width; left += side) {
      signal.throwIfAborted();
      const tile = { left, top, width: Math.min(side, work.width - left), height };
      cutTile(tile, { from, to, cutting, around });
      onProgress((top * work.width + (left + tile.width) * height) / (work.width * work.height));
      await letOthersRun();
    }
    await work.writeRows(top, to.samples);
    seen = unite(seen, boxSeen(to));
    before = from;
  }
  return { seen };
}

/** Less than this, of 1, is seen by nobody. */
const visible = 0.05;

function boxSeen({ samples, width, channels, top }: Rows): Region | undefined {
  const least = visible * fullOf(samples);
  let box: Region | undefined;
  for (let row = 0, at = channels - 1; at < samples.length; row += 1) {
    let [first, last] = [width, -1];
    for (let x = 0; x < width; x += 1, at += channels) {
      if ((samples[at] as number) <= least) continue;
      first = Math.min(first, x);
      last = x;
    }
    if (last >= 0) box = unite(box, { left: first, top: top + row, width: last - first + 1, height: 1 });
  }
  return box;
}

function unite(a: Region | undefined, b: Region | undefined): Region | undefined {
  if (!a || !b) return a ?? b;
  const [left, top] = [Math.min(a.left, b.left), Math.min(a.top, b.top)];
  return {
    left,
    top,
    width: Math.max(a.left + a.width, b.left + b.width) - left,
    height: Math.max(a.top + a.height, b.top + b.height) - top,
  };
}

/**
 * As far as an outline reaches and half as far again, so that sure ground on both sides is seen; bounded for the
 * memory's sake.
 */
const lookAround = (matte: Matte, { reach }: Profile) =>
  Math.ceil(Math.min(256, Math.max(48, 1.5 * (reach.soft + 4) * cellPx(matte))));

type Reading = { top: number; height: number; around: number; before: Rows | undefined };

/** The rows above have been written over by now, and are taken from what was read before. */
async function readWithSurroundings(work: WorkFile, { top, height, around, before }: Reading): Promise<Rows> {
  const { width, channels } = work;
  const first = Math.max(0, Math.floor((top - around) / lattice) * lattice);
  const end = Math.min(work.height, top + height + around);
  const rowLength = width * channels;
  const known = before ? before.top + before.samples.length / rowLength : first;
  const fresh = await work.readRows({ first: known, count: end - known });
  if (!before) return { samples: fresh, width, channels, top: first };
  const kept = before.samples.subarray((first - before.top) * rowLength);
  const samples =
    fresh instanceof Uint16Array
      ? new Uint16Array((end - first) * rowLength)
      : new Uint8Array((end - first) * rowLength);
  samples.set(kept);
  samples.set(fresh, kept.length);
  return { samples, width, channels, top: first };
}

/** Messages, a cancelling one among them, come in between tiles. */
const letOthersRun = () => new Promise<void>((resolve) => setImmediate(resolve));
