import { readFile } from "node:fs/promises";
import { smallestJpeg } from "@tintype/codecs/jpeg";
import type { InputFormat, TaskOptions } from "@tintype/contract";
import sharp from "sharp";
import { readHeifFacts } from "../formats/heif/facts.ts";
import { readHeifGainMap } from "../formats/heif/gain-map.ts";
import { type HeifGainMap, withHeifGainMap } from "../formats/heif/write-gain-map.ts";
import type { Motion } from "../formats/jpeg/container-directory.ts";
import {
  type GainMap,
  type GeometryChange,
  isSamePlace,
  orientationOf,
  readAppleGainMap,
  readGainMap,
  recodeAsAvif,
  recodeGainMap,
  withGainMap,
} from "../formats/jpeg/gain-map.ts";
import { withMotion } from "../formats/jpeg/motion.ts";
import { afterPng } from "../formats/png/container.ts";
import { defaultQuality, writeWhole } from "../formats/write-picture.ts";
import { optionOf } from "../metadata/choice.ts";
import type { EngineTask, Outcome } from "../task.ts";
import { minGain } from "./compress/min-gain.ts";
import { cropRegion } from "./crop-region.ts";
import { withSize } from "./keep-metadata.ts";
import type { OpenedTask } from "./operation.ts";
import { resizeGeometry } from "./resize/geometry.ts";

/** The tasks whose result shows the whole picture or a part of it, so that its gain map still applies. */
const gainMapTasks: readonly EngineTask[] = ["compress", "convert", "resize", "crop", "turn", "upload"];

/** The quality of a gain map: below `min`, skies show banding. The coarser ones are tried only under a byte limit. */
const qualities = { min: 75, coarser: [60, 40] };

/** The largest share of a byte limit for a gain map: only HDR displays use it. */
const maxShare = 0.25;

/** A source's gain map, and the bytes that a limit reserves for it. */
export type GainMapPlan = { map: GainMap; reservedBytes: number; orientation: number };

/** The gain map that the result of a task keeps. Undefined if the source has none, or the task does not keep it. */
export async function planGainMap(task: OpenedTask, signal: AbortSignal): Promise<GainMapPlan | undefined> {
  const target = optionOf(task.options, "target_format");
  if (!gainMapTasks.includes(task.name) || hasOtherShape(task) || (target !== undefined && !isCarrier(target)))
    return undefined;
  const format = task.standsFor ?? task.input.format;
  const bytes = await task.input.bytes();
  const map = await mapOf(task, { bytes, format });
  if (!map) return undefined;
  const isJpeg = format === "jpeg" && !task.standsFor;
  const plan = { map, reservedBytes: 0, orientation: isJpeg ? orientationOf(bytes) : 1 };
  const limit = optionOf(task.options, "max_bytes");
  if (typeof limit !== "number") return plan;
  const size = isJpeg || task.standsFor ? await sizeOf(bytes) : readHeifFacts(bytes);
  if (!size || size.width * size.height > task.limits.megapixelsIn * 1e6) return undefined; // refused when the picture is opened
  const change = { ...unmoved(size), orientation: plan.orientation };
  const carrier = carriers[target ?? (format === "jpeg" ? "jpeg" : "avif")];
  const fitted = await fittingMap(carrier, {
    map,
    change,
    task,
    isOriginal: false,
    maxBytes: limit * maxShare,
    signal,
  });
  return { ...plan, reservedBytes: fitted?.addedBytes ?? 0 };
}

/** Of a canvas and of a crop to the subject the map would not show the same part. */
const hasOtherShape = ({ options }: OpenedTask) =>
  optionOf(options, "canvas") !== undefined || optionOf(options, "gravity") === "smart";

type Carried = { bytes: Uint8Array; format: InputFormat | undefined };

async function mapOf(task: OpenedTask, { bytes, format }: Carried): Promise<GainMap | undefined> {
  if (task.standsFor) return readGainMap(afterPng(bytes));
  if (format === "jpeg") return mapOfJpeg(task, bytes);
  if ((format !== "heic" && format !== "avif") || staysAsCoded(task, format)) return undefined;
  return readHeifGainMap(task.input, {
    scratchPath: `${task.outputPath}.map`,
    limits: task.limits,
  });
}

/**
 * A HEIC or AVIF that is returned as received keeps its items. Compress re-encodes an AVIF with a gain map only under a
 * byte limit.
 */
const staysAsCoded = ({ name, options }: OpenedTask, format: "heic" | "avif"): boolean =>
  name === "upload" || (name === "compress" && format === "avif" && optionOf(options, "max_bytes") === undefined);

async function mapOfJpeg({ limits }: OpenedTask, bytes: Uint8Array): Promise<GainMap | undefined> {
  const map = readGainMap(bytes);
  const size = map ? undefined : await sizeOf(bytes);
  if (!size) return map;
  return readAppleGainMap(bytes, { mostPixels: Math.min(size.width * size.height, limits.megapixelsIn * 1e6) });
}

const sizeOf = (bytes: Uint8Array) =>
  sharp(bytes)
    .metadata()
    .then(({ autoOrient }) => autoOrient)
    .catch(() => undefined);

/** A gain map encoded for a format, and the most bytes that it adds to a file. */
type CodedMap = {
  codedBytes: number;
  addedBytes: number;
  /** Undefined if the file cannot hold it. */
  put(file: Uint8Array, motion?: Motion): Buffer | undefined;
};

type RecodeOptions = Parameters<typeof recodeGainMap>[1];
type Carrier = {
  code(map: GainMap, how: RecodeOptions): Promise<CodedMap | undefined>;
  /** The source's gain map unchanged, if the format can store it. */
  asItIs(map: GainMap): CodedMap | undefined;
};

const carriers: Record<"jpeg" | "avif", Carrier> = {
  jpeg: {
    code: async (map, how) => {
      const coded = await recodeGainMap(map, how);
      return coded && inJpeg(coded);
    },
    asItIs: (map) => inJpeg(map),
  },
  avif: {
    code: async (map, how) => {
      const coded = await recodeAsAvif(map, how);
      return coded && inAvif(coded);
    },
    asItIs: () => undefined,
  },
};

const isCarrier = (format: unknown): format is keyof typeof carriers => format === "jpeg" || format === "avif";

const inJpeg = (map: GainMap): CodedMap => ({
  codedBytes: map.jpeg.length,
  addedBytes: (withGainMap(smallestJpeg, map)?.length ?? Number.POSITIVE_INFINITY) - smallestJpeg.length,
  put: (file, motion) => withGainMap(file, map, motion),
});

/** The boxes of both items and their metadata, minus the overhead of the map's own file. */
const itemBytes = 256;

const inAvif = (map: HeifGainMap): CodedMap => ({
  codedBytes: map.avif.length,
  addedBytes: map.avif.length + itemBytes,
  put: (file) => withHeifGainMap(file, map),
});

const unmoved = (size: { width: number; height: number }): GeometryChange => ({
  orientation: 1,
  picture: size,
  window: { left: 0, top: 0, ...size },
  result: size,
});

/**
 * The gain map for the picture that a task wrote, with the same geometry operations. Undefined if the result cannot
 * hold one, or if it would exceed `maxBytes`. `addedBytes`: the growth of the file.
 */
export async function gainMapFor(
  outcome: Outcome,
  task: OpenedTask,
  { plan, maxBytes, signal }: { plan: GainMapPlan | undefined; maxBytes: number; signal: AbortSignal },
): Promise<{ map: CodedMap; addedBytes: number } | undefined> {
  const { source, result } = outcome;
  if (!plan || !isCarrier(result.format)) return undefined;
  const isOriginal =
    outcome.kind === "unchanged" ||
    task.name === "upload" ||
    (outcome.kind === "done" && outcome.nothingSaved === true);
  // An AVIF returned as received still has its own map.
  if (isOriginal && result.format === "avif") return undefined;
  const written = await readFile(task.outputPath);
  const change = isOriginal ? unmoved(source) : { ...changeOf(outcome, task), orientation: plan.orientation };
  const carrier = carriers[isStandIn(outcome) ? "jpeg" : result.format];
  const room = maxBytes - written.length;
  const map = await fittingMap(carrier, { map: plan.map, change, task, isOriginal, maxBytes: room, signal });
  if (!map || isStandIn(outcome)) return map && { map, addedBytes: map.addedBytes };
  return { map, addedBytes: (map.put(written)?.length ?? Number.POSITIVE_INFINITY) - written.length };
}

const isStandIn = (outcome: Outcome) => outcome.kind === "done" && outcome.isStandIn === true;

/**
 * Adds the gain map to the result's picture, and a video after both. In a stand-in, which only the next step reads,
 * they are stored as a JPEG of their own after its end.
 */
export async function appendTrailers(
  outcome: Outcome,
  task: OpenedTask,
  { map, motion }: { map: CodedMap | undefined; motion: Motion | undefined },
): Promise<Outcome> {
  if (!map && !motion) return outcome;
  const written = await readFile(task.outputPath);
  const before = isStandIn(outcome) ? smallestJpeg : written;
  const made = map ? map.put(before, motion) : motion && withMotion(before, motion);
  const whole = made && isStandIn(outcome) ? Buffer.concat([written, made]) : made;
  if (!whole) return outcome;
  await writeWhole(task.outputPath, whole);
  return withSize(outcome, whole.length);
}

function changeOf({ source, result }: Outcome, task: OpenedTask): GeometryChange {
  const { width, height } = source;
  const picture = { width, height };
  const whole = unmoved(picture);
  // The contract parsed the options before the task was created.
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

type FitOptions = {
  map: GainMap;
  change: GeometryChange;
  task: OpenedTask;
  isOriginal: boolean;
  maxBytes: number;
  signal: AbortSignal;
};

/**
 * The original gain map if it still applies and re-encoding saves little; otherwise re-encoded, at lower quality if the
 * byte limit requires it.
 */
async function fittingMap(
  carrier: Carrier,
  { map, change, task, isOriginal, maxBytes, signal }: FitOptions,
): Promise<CodedMap | undefined> {
  const wanted = optionOf(task.options, "quality");
  const quality = Math.max(qualities.min, typeof wanted === "number" ? wanted : defaultQuality);
  const fits = (one: CodedMap | undefined): one is CodedMap => one !== undefined && one.addedBytes <= maxBytes;
  const code = (at: number) => carrier.code(map, { change, quality: at, signal });
  const own = isSamePlace(change) ? carrier.asItIs(map) : undefined;
  const coded = isOriginal ? undefined : await code(quality);
  if (!isOriginal && !coded) return undefined;
  const saves = own && coded && coded.codedBytes < own.codedBytes * (1 - minGain("jpeg", { quality }));
  const first = own && !saves ? own : coded;
  if (fits(first)) return first;
  for (const coarser of isOriginal ? [qualities.min, ...qualities.coarser] : qualities.coarser) {
    const smaller = await code(coarser);
    if (fits(smaller)) return smaller;
  }
  return undefined;
}
