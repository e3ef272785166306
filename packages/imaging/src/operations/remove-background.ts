import { rename, rm } from "node:fs/promises";
import { DomainError, manualProfile, type TaskOptions } from "@tintype/contract";
import sharp, { type Sharp } from "sharp";
import { inColour } from "../colour/in-colour.ts";
import { settleMatte } from "../cutout/clean-matte.ts";
import { layOver } from "../cutout/composite.ts";
import { confidenceOf } from "../cutout/confidence.ts";
import { cutOut } from "../cutout/cut-out.ts";
import { findMatte, subjectBox } from "../cutout/find-matte.ts";
import type { Region } from "../cutout/matte.ts";
import { profiles } from "../cutout/profiles.ts";
import { openSource, type Source } from "../formats/open-source.ts";
import { writePngRows } from "../formats/write-picture.ts";
import type { PixelRows } from "../raster/pixel-rows.ts";
import { unpack, type WorkFile } from "../raster/work-file.ts";
import type { PictureFacts, PictureLimits, RunContext } from "../task.ts";
import type { EngineContext, NeuralOperation } from "./operation.ts";

type Options = TaskOptions<"remove-background">;

/** Cuts the subject out, at full resolution: PNG with alpha, or with another background, or the matte alone. */
export const removeBackground: NeuralOperation = async (task, context) => {
  const options = task.options as Options; // parsed by the contract
  const source = await openSource(task.inputPath, task.limits);
  refuseWhatCannotBeCut(source, options);
  const background = await openBackground(task.backgroundPath, task.limits);
  const hasBackground = background !== undefined || isColour(options.background);
  const work = await unpack(source.read({ colour: hasBackground ? "srgb" : "own" }), `${task.outputPath}.work`);
  try {
    const seen = { ...source, ...(hasBackground ? plainSrgb : {}) };
    const { region, confidence } = await cut(work, { source: seen, options, context });
    report(context, 0.88, "Writing the picture");
    if (background && !options.mask_only)
      await placeBefore(work, { background, region, path: `${task.outputPath}.behind`, context });
    const result = await write(work, {
      ...{ source: seen, options, region, path: task.outputPath, signal: context.signal },
      isFilled: background !== undefined,
    });
    const { format, width, height, sizeBytes } = source;
    const notes = [
      ...source.notes,
      ...(hasBackground && source.hasProfile ? ["Colours are converted to sRGB to go with the new background."] : []),
    ];
    return { kind: "done", source: { format, width, height, sizeBytes }, result, notes, confidence };
  } finally {
    await work.remove();
  }
};

const plainSrgb = { hasProfile: false, isGrey: false, depth: 8 } as const;
const isColour = (background: Options["background"]) => background !== undefined && background !== "transparent";

function refuseWhatCannotBeCut(source: Source, { profile }: Options): void {
  if (profile === manualProfile)
    throw new DomainError("cannot-process", { detail: "Manual Studio is coming soon. Please choose another profile." });
  if (source.isAnimated)
    throw new DomainError("cannot-process", {
      detail: "The background of moving pictures cannot be removed. Please send a still picture.",
    });
}

async function openBackground(path: string | undefined, limits: PictureLimits): Promise<Source | undefined> {
  if (path === undefined) return undefined;
  return openSource(path, limits).catch((problem: unknown) => {
    if (!(problem instanceof DomainError)) throw problem;
    throw new DomainError(problem.code, { detail: `The background picture: ${problem.detail}`, cause: problem.cause });
  });
}

function report({ signal, progress }: RunContext, fraction: number, stage: string): void {
  signal.throwIfAborted();
  progress({ fraction, stage });
}

type Cut = { region: Region; confidence: number };

async function cut(
  work: WorkFile,
  { source, options, context }: { source: Source; options: Options; context: EngineContext },
): Promise<Cut> {
  if (options.profile === manualProfile) throw new DomainError("cannot-process"); // refused before
  const profile = profiles[options.profile];
  const { signal, threads } = context;
  const found = await context.models.use(
    "background",
    (model) => {
      report(context, 0.1, "Finding the subject");
      const onCloserLook = () => report(context, 0.4, "Looking closer");
      return findMatte(work, { source, model, profile, signal, onCloserLook });
    },
    { signal, onStage: (stage) => report(context, 0.05, stage) },
  );
  const onProgress = (done: number) => report(context, 0.7 + 0.18 * done, "Cutting along the edges");
  onProgress(0);
  const matte = settleMatte(found.matte, profile);
  if (!subjectBox(matte)) throw noSubject();
  const { seen } = await cutOut(work, { matte, profile, signal, onProgress, ...(threads ? { threads } : {}) });
  if (!seen) throw noSubject();
  const whole = { left: 0, top: 0, width: work.width, height: work.height };
  const region = options.crop ? withMargin(seen, { percent: options.margin, whole }) : whole;
  return { region, confidence: Math.round(100 * confidenceOf(found)) / 100 };
}

const noSubject = () =>
  new DomainError("cannot-process", { detail: "No subject stands out from the background of this picture." });

/** Free space all around, as far as the picture goes: nothing is made up beyond its edges. */
function withMargin(box: Region, { percent, whole }: { percent: number; whole: Region }): Region {
  const by = Math.round((percent / 100) * Math.max(box.width, box.height));
  const [left, top] = [Math.max(0, box.left - by), Math.max(0, box.top - by)];
  return {
    left,
    top,
    width: Math.min(whole.width, box.left + box.width + by) - left,
    height: Math.min(whole.height, box.top + box.height + by) - top,
  };
}

type Placing = { background: Source; region: Region; path: string; context: RunContext };

/** The uploaded background covers what is shown, its middle first. */
async function placeBefore(work: WorkFile, { background, region, path, context }: Placing): Promise<void> {
  const { width, height } = region;
  const image = background
    .read({ colour: "srgb" })
    .flatten({ background: "#ffffff" })
    .resize({ width, height, fit: "cover" })
    .toColourspace("srgb");
  const behind = await unpack(image, path);
  try {
    await layOver(work, { part: region, behind, signal: context.signal });
  } finally {
    await behind.remove();
  }
}

/** `isFilled`: a picture lies behind the subject already. */
type Writing = {
  source: Source;
  options: Options;
  region: Region;
  path: string;
  isFilled: boolean;
  signal: AbortSignal;
};

async function write(work: WorkFile, writing: Writing): Promise<PictureFacts> {
  const { source, options, region, path, isFilled, signal } = writing;
  const isAsWanted = source.depth === work.depth && source.isGrey === (work.channels === 2);
  const isFlattened = !options.mask_only && !isFilled && isColour(options.background);
  if (isFlattened || !isAsWanted) return writeConverted(work, writing);
  const { icc, density } = await sharp(work.path).metadata();
  const kept = options.mask_only ? "alpha" : isFilled ? "colours" : "all";
  const profile = source.hasProfile && kept !== "alpha" ? icc : undefined;
  return writePngRows(path, { ...rowsOf(work, { region, kept }), profile, density }, signal);
}

type Shown = { region: Region; kept: "all" | "colours" | "alpha" };

/** A part of the picture, and of its channels those that are wanted. */
function rowsOf(work: WorkFile, { region, kept }: Shown): PixelRows {
  const { width, height } = region;
  const from = kept === "alpha" ? work.channels - 1 : 0;
  const colours = work.channels === 2 ? 1 : 3;
  const channels = ({ all: work.channels, colours, alpha: 1 } as const)[kept];
  return {
    width,
    height,
    channels,
    depth: work.depth,
    async readRows({ first, count }) {
      const samples = await work.readRows({ first: region.top + first, count });
      if (width === work.width && channels === work.channels) return samples;
      const shown = samples.slice(0, count * width * channels);
      for (let y = 0, at = 0; y < count; y++) {
        let pixel = (y * work.width + region.left) * work.channels + from;
        for (const end = at + width * channels; at < end; at += channels, pixel += work.channels)
          for (let channel = 0; channel < channels; channel++) shown[at + channel] = samples[pixel + channel] as number;
      }
      return shown;
    },
  };
}

/** Deflate at level 2 with filters chosen by row, for what libvips has to convert: half of its default's time. */
const quickPng = { compressionLevel: 2, adaptiveFiltering: true } as const;

async function writeConverted(work: WorkFile, { region, path, ...showing }: Writing): Promise<PictureFacts> {
  const image = sharp(work.path, { limitInputPixels: false }).extract(region);
  const part = `${path}.part`;
  try {
    const { width, height, size } = await shown(image, showing).png(quickPng).toFile(part);
    await rename(part, path);
    return { format: "png", width, height, sizeBytes: size };
  } finally {
    await rm(part, { force: true });
  }
}

type Showing = Pick<Writing, "source" | "options" | "isFilled">;

function shown(image: Sharp, { source, options, isFilled }: Showing): Sharp {
  if (options.mask_only) return image.extractChannel("alpha").toColourspace(source.depth === 16 ? "grey16" : "b-w");
  const { background } = options;
  const coloured = inColour(image, source);
  if (isFilled) return coloured.removeAlpha();
  return background !== undefined && isColour(background) ? coloured.flatten({ background }) : coloured;
}
