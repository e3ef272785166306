import type { Raster } from "@tintype/codecs/raster";
import { formats, type Note, type OutputFormat, type TaskOptions } from "@tintype/contract";
import { fitToFormat } from "../formats/fit-to-format.ts";
import type { InputFile } from "../formats/input-file.ts";
import type { Source } from "../formats/open-source.ts";
import { formatForSize, outputFormat } from "../formats/output-format.ts";
import { factsOf } from "../formats/source.ts";
import { defaultQuality, type WrittenPicture, writePicture, writePngRows } from "../formats/write-picture.ts";
import { readPicture } from "../raster/read-picture.ts";
import type { Outcome, RunContext } from "../task.ts";
import { checkResultSize } from "../upscale/result-size.ts";
import { type Enlarged, type PictureKind, passesFor, runPasses } from "../upscale/run-passes.ts";
import { gatherEvidence, showsCompression } from "../upscale/shows-compression.ts";
import { openStill } from "./open-input.ts";
import type { NeuralOperation, OpenedTask } from "./operation.ts";
import { resizeDrawing, resizeGeometry } from "./resize/geometry.ts";
import { writeResult } from "./write-result.ts";

/** Enlarges two, four or eight times by a neural network; format, alpha, depth and ICC profile are kept. */
export const upscale: NeuralOperation = async (task, { models, ...context }) => {
  const { scale_factor: factor, model } = task.options as TaskOptions<"upscale">; // parsed by the contract
  const opened = await openStill({ ...task, standsFor: undefined }, "upscale");
  const source = { ...opened, format: task.standsFor ?? opened.format };
  checkResultSize(source, { factor, limits: task.limits });
  if (source.format === "svg") return enlargeDrawing(source, { factor, task, signal: context.signal });
  const written = outputFormat(source, "upscale");
  const target = formatForSize(written.format, { width: source.width * factor, height: source.height * factor });
  const { image, notes } = await fitToFormat(source, target.format);
  const depth = source.depth === 16 && formats[target.format].holds.depth16 ? 16 : 8;
  const picture = await readPicture(image, {
    depth,
    isGrey: source.isGrey,
    hasAlpha: source.hasAlpha && formats[target.format].holds.alpha,
  });
  const isStandIn = task.isIntermediate === true;
  const chosen = await chooseModels({ wanted: model, factor, depth, source: opened, file: task.input, picture });
  const profile = await profileOf(source, { picture, target: target.format });
  const result = await runPasses(
    {
      picture,
      passes: chosen.passes,
      profile,
      temporaryPath: `${task.outputPath}.raw`,
      models,
      context: partOf(context, enlargingShare),
    },
    (enlarged) => {
      context.signal.throwIfAborted();
      context.progress({ fraction: enlargingShare, stage: "writing-image" });
      return write(enlarged, { format: target.format, isStandIn, path: task.outputPath, signal: context.signal });
    },
  );
  const { notes: encoderNotes, ...facts } = result;
  const formatNotes = [written.note, target.note, ...chosen.notes].filter((note) => note !== undefined);
  return {
    kind: "done",
    source: factsOf(source),
    result: facts,
    ...(isStandIn ? { isStandIn } : {}),
    notes: [...source.notes, ...notes, ...formatNotes, ...encoderNotes],
  };
};

type EnlargeDrawingOptions = { factor: number; task: OpenedTask; signal: AbortSignal };

/** An SVG has no pixels to enlarge: it is rendered again, sharp at any size. */
async function enlargeDrawing(source: Source, { factor, task, signal }: EnlargeDrawingOptions): Promise<Outcome> {
  const geometry = resizeGeometry(source, { width: source.width * factor, method: "fit" });
  const image = resizeDrawing(source, { geometry, method: "fit", limits: task.limits });
  const written = outputFormat(source, "upscale");
  const { format } = formatForSize(written.format, geometry);
  const { notes, ...result } = await writeResult(image, task, { format, signal });
  return {
    kind: "done",
    source: factsOf(source),
    ...result,
    notes: [
      ...source.notes,
      ...(written.note === undefined ? [] : [written.note]),
      { code: "drawn-by-lines" },
      ...notes,
    ],
  };
}

type Target = { format: OutputFormat; isStandIn: boolean; path: string; signal: AbortSignal };

async function write({ source, rows }: Enlarged, { format, isStandIn, path, signal }: Target): Promise<WrittenPicture> {
  if (format === "png" || isStandIn) return { ...(await writePngRows(path, rows, signal)), format, notes: [] };
  return writePicture(source.read(), {
    format,
    path,
    signal,
    quality: defaultQuality,
    // Enlarged chroma at half resolution is as fine as the source's. The JPEG encoder then need not decode the whole
    // result into memory to inspect it.
    hasHalvedColour: true,
    isUrgent: true,
  });
}

/** Share of the total time; the rest is for encoding. */
const enlargingShare = 0.9;

const partOf = (context: RunContext, share: number): RunContext => ({
  signal: context.signal,
  progress: ({ fraction, ...report }) => context.progress({ fraction: fraction * share, ...report }),
});

type Choice = {
  wanted: TaskOptions<"upscale">["model"];
  factor: TaskOptions<"upscale">["scale_factor"];
  depth: 8 | 16;
  source: Source;
  file: InputFile;
  picture: Raster;
};

async function chooseModels({ wanted, factor, depth, source, file, picture }: Choice) {
  const kind: PictureKind =
    wanted === "auto"
      ? showsCompression(await gatherEvidence(source, { picture, file }))
        ? "compressed"
        : "clean"
      : wanted;
  const passes = passesFor({ factor, kind, depth });
  const notes: Note[] = [{ code: "invented-detail" }];
  if (kind === "sharper") notes.push({ code: "sharpened" });
  if (factor === 8) notes.push({ code: "enlarged-twice" });
  if (wanted === "auto" && kind === "compressed") notes.push({ code: "compression-repaired" });
  return { passes, notes };
}

/** The ICC profile of the decoded pixels, if the target can store it. */
async function profileOf(
  source: Source,
  { picture, target }: { picture: Raster; target: OutputFormat },
): Promise<Uint8Array | undefined> {
  if (!source.hasProfile || !formats[target].holds.profile) return undefined;
  if (source.isGrey && picture.channels > 2) return undefined; // a grey picture that was decoded as sRGB colour
  return (await source.read().metadata()).icc;
}
