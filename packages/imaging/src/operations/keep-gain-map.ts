import { readFile } from "node:fs/promises";
import type { InputFormat, TaskOptions } from "@tintype/contract";
import sharp from "sharp";
import { readHead } from "../formats/byte-window.ts";
import { readHeifFacts } from "../formats/heif/facts.ts";
import { readHeifGainMap } from "../formats/heif/gain-map.ts";
import type { Film } from "../formats/jpeg/container-directory.ts";
import { withFilm } from "../formats/jpeg/film.ts";
import {
  type Change,
  type GainMap,
  isSamePlace,
  orientationOf,
  readGainMap,
  recodeGainMap,
  withGainMap,
} from "../formats/jpeg/gain-map.ts";
import { afterPng } from "../formats/png/container.ts";
import { sniffFormat } from "../formats/sniff.ts";
import { defaultQuality, writeWhole } from "../formats/write-picture.ts";
import { optionOf } from "../metadata/choice.ts";
import { withSize } from "../metadata/keep.ts";
import type { EngineTask, Outcome, Task } from "../task.ts";
import { leastGain } from "./compress/least-gain.ts";
import { cropRegion } from "./crop-region.ts";
import { resizeGeometry } from "./resize/geometry.ts";

/** The tasks whose result shows the whole picture or a part of it, so that its gain map still applies. */
const keepers: readonly EngineTask[] = ["compress", "convert", "resize", "crop", "turn", "upload"];

/** A gain map of lower quality shows banding in skies. The lower ones are tried if bytes are limited. */
const qualities = { least: 75, coarser: [60, 40] };

/** The most that a gain map may take of a byte limit: the picture itself shows on every display. */
const mostShare = 0.25;

/** A source's gain map, and the bytes that a limit reserves for it. */
export type KeptGainMap = { map: GainMap; reservedBytes: number; orientation: number };

/** The gain map that the result of a task keeps. Undefined if the source has none, or the task does not keep it. */
export async function planGainMap(task: Task, signal: AbortSignal): Promise<KeptGainMap | undefined> {
  const target = optionOf(task.options, "target_format");
  if (!keepers.includes(task.name) || (target !== undefined && target !== "jpeg")) return undefined;
  const format = task.standsFor ?? sniffFormat(await readHead(task.inputPath));
  const bytes = await readFile(task.inputPath);
  const map = await mapOf(task, { bytes, format, target });
  if (!map) return undefined;
  const plan = { map, reservedBytes: 0, orientation: format === "jpeg" ? orientationOf(bytes) : 1 };
  const limit = optionOf(task.options, "max_bytes");
  if (typeof limit !== "number") return plan;
  const size = format === "jpeg" ? await sizeOf(bytes) : readHeifFacts(bytes);
  if (!size || size.width * size.height > task.limits.megapixelsIn * 1e6) return undefined; // refused when it is opened
  const change = { ...unmoved(size), orientation: plan.orientation };
  const fitted = await fittingMap(map, { change, task, isOriginal: false, mostBytes: limit * mostShare, signal });
  return { ...plan, reservedBytes: fitted ? addedBytes(smallestJpeg, fitted) : 0 };
}

type Carrier = { bytes: Uint8Array; format: InputFormat | undefined; target: unknown };

/** Resize, crop and turn write a HEIC as JPEG; AVIF stays AVIF, and only convert makes a JPEG of it. */
async function mapOf(task: Task, { bytes, format, target }: Carrier): Promise<GainMap | undefined> {
  if (format === "jpeg") return readGainMap(task.standsFor ? afterPng(bytes) : bytes);
  const becomesJpeg = target === "jpeg" || (format === "heic" && task.name !== "compress" && task.name !== "upload");
  if ((format !== "heic" && format !== "avif") || !becomesJpeg || task.standsFor) return undefined;
  return readHeifGainMap(task.inputPath, { scratchPath: `${task.outputPath}.map`, limits: task.limits });
}

const sizeOf = (jpeg: Uint8Array) =>
  sharp(jpeg)
    .metadata()
    .then(({ autoOrient }) => autoOrient)
    .catch(() => undefined);

const smallestJpeg = Uint8Array.of(0xff, 0xd8, 0xff, 0xd9);

const addedBytes = (jpeg: Uint8Array, map: GainMap): number =>
  (withGainMap(jpeg, map)?.length ?? Number.POSITIVE_INFINITY) - jpeg.length;

const unmoved = (size: { width: number; height: number }): Change => ({
  orientation: 1,
  picture: size,
  window: { left: 0, top: 0, ...size },
  result: size,
});

/**
 * The gain map for the picture that a task wrote, with the same changes: undefined if the result cannot hold one, or if
 * it would exceed `mostBytes`. `addedBytes`: the growth of the file.
 */
export async function gainMapFor(
  outcome: Outcome,
  task: Task,
  { plan, mostBytes, signal }: { plan: KeptGainMap | undefined; mostBytes: number; signal: AbortSignal },
): Promise<{ map: GainMap; addedBytes: number } | undefined> {
  const { source, result } = outcome;
  if (!plan || result.format !== "jpeg") return undefined;
  const isOriginal =
    outcome.kind === "unchanged" ||
    task.name === "upload" ||
    (outcome.kind === "done" && outcome.nothingSaved === true);
  const written = await readFile(task.outputPath);
  const change = isOriginal ? unmoved(source) : { ...changeOf(outcome, task), orientation: plan.orientation };
  const room = mostBytes - written.length;
  const map = await fittingMap(plan.map, { change, task, isOriginal, mostBytes: room, signal });
  return map && { map, addedBytes: addedBytes(isStandIn(outcome) ? smallestJpeg : written, map) };
}

const isStandIn = (outcome: Outcome) => outcome.kind === "done" && outcome.isStandIn === true;

/**
 * Appends the gain map to the result's picture, and a video after both. A stand-in, which only the next step reads,
 * gets them in a JPEG of their own after its end.
 */
export async function writeBehind(
  outcome: Outcome,
  task: Task,
  { map, film }: { map: GainMap | undefined; film: Film | undefined },
): Promise<Outcome> {
  if (!map && !film) return outcome;
  const written = await readFile(task.outputPath);
  const before = isStandIn(outcome) ? smallestJpeg : written;
  const made = map ? withGainMap(before, map, film) : film && withFilm(before, film);
  const whole = made && isStandIn(outcome) ? Buffer.concat([written, made]) : made;
  if (!whole) return outcome;
  await writeWhole(task.outputPath, whole);
  return withSize(outcome, whole.length);
}

function changeOf({ source, result }: Outcome, task: Task): Change {
  const { width, height } = source;
  const picture = { width, height };
  const whole = unmoved(picture);
  // The contract parsed the options before the task was made.
  switch (task.name) {
    case "resize":
      return { ...whole, window: resizeGeometry(picture, task.options as TaskOptions<"resize">).window, result };
    case "crop": {
      const options = task.options as TaskOptions<"crop">;
      const window = cropRegion(picture, options);
      return { ...whole, window, result: window, ...(options.straighten ? { straighten: options.straighten } : {}) };
    }
    case "turn":
      return { ...whole, turn: task.options as TaskOptions<"turn"> };
    default:
      return { ...whole, result };
  }
}

type Fitting = { change: Change; task: Task; isOriginal: boolean; mostBytes: number; signal: AbortSignal };

/**
 * The original gain map if it still applies and re-encoding saves little, or else re-encoded; at lower quality if the
 * byte limit requires it.
 */
async function fittingMap(
  map: GainMap,
  { change, task, isOriginal, mostBytes, signal }: Fitting,
): Promise<GainMap | undefined> {
  const wanted = optionOf(task.options, "quality");
  const quality = Math.max(qualities.least, typeof wanted === "number" ? wanted : defaultQuality);
  const fits = (one: GainMap | undefined): one is GainMap =>
    one !== undefined && addedBytes(smallestJpeg, one) <= mostBytes;
  const code = (at: number) => recodeGainMap(map, { change, quality: at, signal });
  const stays = isSamePlace(change);
  const coded = isOriginal ? undefined : await code(quality);
  if (!isOriginal && !coded) return undefined;
  const saves = coded && coded.jpeg.length < map.jpeg.length * (1 - leastGain("jpeg", { quality }));
  const first = stays && !saves ? map : coded;
  if (fits(first)) return first;
  for (const coarser of qualities.coarser) {
    const smaller = await code(coarser);
    if (fits(smaller)) return smaller;
  }
  return undefined;
}
