import { rm } from "node:fs/promises";
import type { IntegerSamples, Rectangle, RowReader } from "@tintype/codecs/raster";
import { createBounds, isEmpty, wholeOf, within } from "@tintype/codecs/raster";
import { DomainError, type Note, type TaskOptions } from "@tintype/contract";
import { openInputFile } from "../formats/input-file.ts";
import { openFile, type Source } from "../formats/open-source.ts";
import { factsOf } from "../formats/source.ts";
import { writePngRows } from "../formats/write-picture.ts";
import { decodeToFile, type PictureFile } from "../raster/picture-file.ts";
import type { Outcome, RunContext } from "../task.ts";
import { applyMatte } from "./cut-out/apply-matte.ts";
import { blurredBehind, coverWith, shadowOf, shadowShares } from "./cut-out/behind.ts";
import { cutCandidate } from "./cut-out/cut-candidate.ts";
import { openOriginal } from "./cut-out/open-original.ts";
import { shownRows, withMargin } from "./cut-out/show-part.ts";
import { isColour } from "./cut-out/write-cut-out.ts";
import { openAuxiliary } from "./open-auxiliary.ts";
import type { NeuralOperation, OpenedTask } from "./operation.ts";

type Options = TaskOptions<"edit">;
type DoneOutcome = Extract<Outcome, { kind: "done" }>;
type Layers = { work: PictureFile; behind?: PictureFile; colour?: string; shadow?: PictureFile; darkness: number };

/**
 * Changes the background, crop, shadow, matte or candidate of a cut-out, at its full resolution and without inference.
 * `input` is the whole cut-out; the auxiliary `original` is the picture that it was made from.
 */
export const edit: NeuralOperation = async (task, context) => {
  const { candidate } = task.options as Options; // parsed by the contract
  if (candidate === 1) return editCutOut(task, context);
  const path = `${task.outputPath}.cut-out`;
  try {
    const confidence = await cutCandidate(task, { candidate, path, context });
    return { ...(await editCutOut({ ...task, input: await openInputFile(path) }, context)), confidence };
  } finally {
    await rm(path, { force: true });
  }
};

async function editCutOut(task: OpenedTask, { signal, progress }: RunContext): Promise<DoneOutcome> {
  const options = task.options as Options;
  const cutOut = await openFile(task.input, task.limits);
  const isPlain = !hasBehind(task, options) && options.shadow === 0 && task.auxiliaryPaths?.["matte"] === undefined;
  const work = await decodeToFile(
    cutOut.read({ colour: isPlain ? "own" : "srgb" }).ensureAlpha(),
    `${task.outputPath}.work`,
  );
  const opened: PictureFile[] = [work];
  const keep = (file: PictureFile) => {
    opened.push(file);
    return file;
  };
  try {
    await applyMatte(work, { task, signal });
    progress({ fraction: 0.3 });
    signal.throwIfAborted();
    const { seen, alpha } = measureSubject(work, { needsAlpha: options.shadow > 0 });
    const region = regionOf(work, { seen, options });
    const path = (name: string) => `${task.outputPath}.${name}`;
    const { width, height } = work;
    const shadow = alpha && keep(await shadowOf(alpha, { width, height, path: path("shadow") }));
    const behind = await openBehind(task, { options, region, work, path: path("behind") });
    if (behind) keep(behind.file);
    progress({ fraction: 0.6, stage: "writing-image" });
    signal.throwIfAborted();
    const layers: Layers = {
      work,
      darkness: (maxShadow * options.shadow) / 100,
      ...(behind ? { behind: behind.file } : {}),
      ...(shadow ? { shadow } : {}),
      ...(isColour(options.background) ? { colour: options.background } : {}),
    };
    const isUntouched = options.mask_only || (!behind && !shadow && !isColour(options.background));
    const rows = isUntouched
      ? shownRows(work, { region, kept: options.mask_only ? "alpha" : "all" })
      : layeredRows(layers, { region, shift: behind?.isRegion ? { left: 0, top: 0 } : region });
    const profile = isPlain && cutOut.hasProfile && !options.mask_only ? await profileOf(cutOut) : undefined;
    const result = await writePngRows(task.outputPath, { ...rows, profile }, signal);
    const isMade = !isPlain && !options.mask_only;
    const notes: Note[] = [
      ...(isMade && cutOut.hasProfile ? [{ code: "colours-converted-for-edit" } as const] : []),
      ...(isMade && cutOut.depth === 16 ? [{ code: "depth-reduced-for-edit" } as const] : []),
    ];
    return { kind: "done", source: factsOf(cutOut), result, notes };
  } finally {
    for (const file of opened) file.remove();
  }
}

/** The opacity of the darkest shadow. */
const maxShadow = 0.75;
/** The lowest visible alpha, 0..1. */
const visible = 0.05;

const hasBehind = ({ auxiliaryPaths }: OpenedTask, { background, blur }: Options): boolean =>
  auxiliaryPaths?.["background"] !== undefined || blur !== undefined || isColour(background);

const profileOf = async (cutOut: Source) => (await cutOut.read().metadata()).icc;

/** The bounding box of all visible pixels, and the alpha channel if a shadow needs it. */
function measureSubject(work: PictureFile, { needsAlpha }: { needsAlpha: boolean }) {
  const { width, height, channels, full } = work;
  const alpha = needsAlpha ? Buffer.alloc(width * height) : undefined;
  const bounds = createBounds();
  for (let y = 0; y < height; y += 1) {
    const row = work.readRow(y);
    for (let x = 0, at = channels - 1; x < width; x += 1, at += channels) {
      const value = row[at] as number;
      if (alpha) alpha[y * width + x] = full === 255 ? value : value >> 8;
      if (value > visible * full) bounds.add(x, y);
    }
  }
  const seen = bounds.rectangle();
  return { seen: isEmpty(seen) ? undefined : seen, alpha };
}

function regionOf(work: PictureFile, { seen, options }: { seen: Rectangle | undefined; options: Options }): Rectangle {
  const whole = wholeOf(work);
  if (!options.crop) return whole;
  if (!seen) throw new DomainError("cannot-process", { reason: { code: "nothing-to-crop-to" } });
  if (options.shadow === 0) return withMargin(seen, { percent: options.margin, whole });
  // The shadow extends below and to the sides.
  const longer = Math.max(work.width, work.height);
  const [fall, soft] = [shadowShares.fall * longer, 2 * shadowShares.softness * longer].map(Math.round) as [
    number,
    number,
  ];
  const shaded = { ...seen, left: seen.left - soft, width: seen.width + 2 * soft, height: seen.height + fall + soft };
  const box = within(shaded, whole);
  return withMargin(box, { percent: options.margin, whole });
}

type BackgroundOptions = { options: Options; region: Rectangle; work: PictureFile; path: string };

/** The picture behind the subject; `isRegion`: it covers the shown region rather than the whole. */
async function openBehind(
  task: OpenedTask,
  { options, region, work, path }: BackgroundOptions,
): Promise<{ file: PictureFile; isRegion: boolean } | undefined> {
  if (options.mask_only) return undefined;
  const background = await openAuxiliary(task, "background");
  if (background)
    return { file: await decodeToFile(coverWith(background, region).removeAlpha(), path), isRegion: true };
  if (options.blur === undefined) return undefined;
  const original = await openOriginal(task, work);
  const file = await blurredBehind(original, { cutOutPath: task.input.path, blur: options.blur, path });
  return { file, isRegion: false };
}

/**
 * The subject over its shadow over the background; without a background, the shadow becomes part of alpha. 8-bit sRGB.
 */
function layeredRows(
  { work, behind, colour, shadow, darkness }: Layers,
  { region, shift }: { region: Rectangle; shift: { left: number; top: number } },
): RowReader<IntegerSamples> {
  const { width, height, left, top } = region;
  const flat = colour === undefined ? undefined : [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const isOpaque = behind !== undefined || flat !== undefined;
  const channels = isOpaque ? 3 : 4;
  const row = new Uint8Array(width * channels);
  return {
    width,
    height,
    channels,
    full: 255,
    readRow(y) {
      const front = work.readRow(top + y);
      const back = behind?.readRow(shift.top + y);
      const shade = shadow?.readRow(top + y);
      for (let x = 0, to = 0; x < width; x += 1, to += channels) {
        const from = (left + x) * 4;
        const a = (front[from + 3] as number) / 255;
        const s = shade ? ((shade[left + x] as number) / 255) * darkness : 0;
        if (isOpaque)
          for (let k = 0; k < 3; k += 1) {
            const ground = back ? (back[(shift.left + x) * 3 + k] as number) : ((flat as number[])[k] as number);
            row[to + k] = Math.round(a * (front[from + k] as number) + (1 - a) * (1 - s) * ground);
          }
        else {
          const sum = a + s * (1 - a);
          for (let k = 0; k < 3; k += 1)
            row[to + k] = sum === 0 ? 0 : Math.round((a * (front[from + k] as number)) / sum);
          row[to + 3] = Math.round(255 * sum);
        }
      }
      return row;
    },
  };
}
