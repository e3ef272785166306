import type { Rectangle } from "@tintype/codecs/raster";
import { wholeOf } from "@tintype/codecs/raster";
import {
  DomainError,
  formats,
  manualProfile,
  type Note,
  type OutputFormat,
  type Stage,
  type TaskOptions,
} from "@tintype/contract";
import sharp from "sharp";
import { findCandidates, isIncomplete } from "../cutout/candidates.ts";
import { cleanMatte } from "../cutout/clean-matte.ts";
import { compositeOver } from "../cutout/composite-over.ts";
import { confidenceOf } from "../cutout/confidence.ts";
import { cutOut } from "../cutout/cut-out.ts";
import { findMatte, type MattePass, subjectBox } from "../cutout/find-matte.ts";
import { type Profile, type ProfileName, profiles } from "../cutout/profiles.ts";
import { softAlphaLoss } from "../formats/alpha-losses.ts";
import { colourLosses } from "../formats/fit-to-format.ts";
import type { Source } from "../formats/open-source.ts";
import { checkSides } from "../formats/output-format.ts";
import { factsOf } from "../formats/source.ts";
import { codingFor, type WrittenPicture, writePicture } from "../formats/write-picture.ts";
import { decodeToFile, type PictureFile, withPictureFile } from "../raster/picture-file.ts";
import type { Outcome, RunContext } from "../task.ts";
import { coverWith } from "./cut-out/behind.ts";
import { writeCandidates } from "./cut-out/candidate-file.ts";
import { writeSheet } from "./cut-out/candidate-sheet.ts";
import { withMargin } from "./cut-out/show-part.ts";
import { type CutOutWriteOptions, isColour, shown, writeCutOut } from "./cut-out/write-cut-out.ts";
import { openAuxiliary } from "./open-auxiliary.ts";
import { openStill } from "./open-input.ts";
import type { EngineContext, NeuralOperation, OpenedTask } from "./operation.ts";

type Options = TaskOptions<"remove-background">;

/** Cuts the subject out at full resolution: PNG with alpha, over another background, or the matte alone. */
export const removeBackground: NeuralOperation = async (task, context) => {
  const options = task.options as Options; // parsed by the contract
  const source = await openStill(task, "remove-background");
  const target = options.target_format ?? "png";
  checkSides(target, source);
  const background = await openAuxiliary(task, "background");
  const hasBackground = background !== undefined || isColour(options.background);
  const decoded = source.read({ colour: hasBackground ? "srgb" : "own" }).ensureAlpha();
  const work = await decodeToFile(decoded, `${task.outputPath}.work`);
  try {
    const seen = { ...source, ...(hasBackground ? plainSrgb : {}) };
    const { region, ...cutOut } = await cut(work, { task, source: seen, options, context });
    report(context, 0.88, "writing-image");
    const seenWhole = wholeOf(work);
    const isWholeCutOut = target === "png" && !hasBackground && !options.mask_only && !options.crop;
    const hasKept = task.keptPath !== undefined && !isWholeCutOut;
    if (hasKept)
      await writeCutOut(work, {
        source: seen,
        options: { ...options, mask_only: false, background: undefined },
        region: seenWhole,
        path: task.keptPath ?? "",
        signal: context.signal,
        isFilled: false,
      });
    if (background && !options.mask_only)
      await placeBefore(work, { background, region, path: `${task.outputPath}.behind`, context });
    const writing = {
      source: seen,
      options,
      region,
      path: task.outputPath,
      signal: context.signal,
      isFilled: background !== undefined,
    };
    // An intermediate result is PNG, which stores all the pixels.
    const isStandIn = task.isIntermediate === true && target !== "png";
    const { notes: lost = [], ...result } = isStandIn
      ? { ...(await writeCutOut(work, { ...writing, options: flattenedFor(target, options) })), format: target }
      : target === "png"
        ? { ...(await writeCutOut(work, writing)), notes: [] }
        : await writeAs(target, work, writing);
    const notes: Note[] = [
      ...source.notes,
      ...(options.mask_only ? [] : coloursLost({ source, target, hasBackground })),
      ...lost,
      ...(cutOut.incomplete ? [{ code: "person-missing" } as const] : []),
    ];
    return {
      kind: "done",
      source: factsOf(source),
      result,
      notes,
      ...cutOut,
      ...(isStandIn ? { isStandIn } : {}),
      ...(hasKept ? { hasKept } : {}),
    };
  } finally {
    work.remove();
  }
};

type LossOptions = { source: Source; target: OutputFormat; hasBackground: boolean };

function coloursLost({ source, target, hasBackground }: LossOptions): Note[] {
  if (!hasBackground)
    return [
      ...colourLosses(source, target),
      ...(formats[target].holds.alpha ? [] : [{ code: "background-now-white", format: target } as const]),
      ...(target === "gif" ? [softAlphaLoss] : []),
    ];
  return [
    ...(source.hasProfile ? [{ code: "colours-converted-for-background" } as const] : []),
    ...(source.depth === 16 ? [{ code: "depth-reduced-for-background" } as const] : []),
  ];
}

const plainSrgb = { hasProfile: false, isGrey: false, depth: 8 } as const;

/** The server refuses Manual Studio before it creates a task, with a message for the caller. */
function profileOf({ profile }: Options): Profile {
  if (profile === manualProfile) throw new Error("An engine was given a task for Manual Studio");
  return profiles[profile];
}

function report({ signal, progress }: RunContext, fraction: number, stage: Stage): void {
  signal.throwIfAborted();
  progress({ fraction, stage });
}

/** The darker and the closer pass run only if they help. */
const passProgress = {
  first: { fraction: 0.1, stage: "finding-subject" },
  darker: { fraction: 0.3, stage: "looking-again" },
  closer: { fraction: 0.5, stage: "looking-closer" },
} as const satisfies Record<MattePass, { fraction: number; stage: Stage }>;

type DoneOutcome = Extract<Outcome, { kind: "done" }>;
type CutResult = { region: Rectangle } & Pick<DoneOutcome, "confidence" | "candidates" | "incomplete">;
type CutOptions = { task: OpenedTask; source: Source; options: Options; context: EngineContext };

async function cut(work: PictureFile, { task, source, options, context }: CutOptions): Promise<CutResult> {
  const profile = profileOf(options);
  const { signal, threads } = context;
  const finding = {
    source,
    profile,
    signal,
    models: context.models,
    onPass: (pass: MattePass) => report(context, passProgress[pass].fraction, passProgress[pass].stage),
    onStage: (stage: Stage) => report(context, 0.05, stage),
  };
  const found = await findMatte(work, finding);
  const views = task.candidatePaths ? await findCandidates(work, { found, finding }) : [];
  const candidates = views.map((view) => ({ ...view, confidence: rounded(view.confidence) }));
  const onProgress = (done: number) => report(context, 0.7 + 0.18 * done, "cutting-edges");
  onProgress(0);
  const matte = cleanMatte(found.matte, profile);
  if (!subjectBox(matte)) throw noSubject();
  // Thumbnails need the original colours: write them before the picture is cut out in place.
  if (task.candidatePaths && candidates.length > 1) {
    await writeSheet(work, { candidates, path: task.candidatePaths.sheet });
    await writeCandidates(task.candidatePaths.mattes, { profile: options.profile as ProfileName, candidates });
  }
  const { seen } = await cutOut(work, { matte, profile, signal, onProgress, threads });
  if (!seen) throw noSubject();
  const whole = wholeOf(work);
  const region = options.crop ? withMargin(seen, { percent: options.margin, whole }) : whole;
  return {
    region,
    confidence: rounded(confidenceOf(found)),
    ...(candidates.length > 1 ? { candidates: candidates.map(({ confidence }) => confidence) } : {}),
    ...(isIncomplete(found, profile) ? { incomplete: true } : {}),
  };
}

const rounded = (confidence: number) => Math.round(100 * confidence) / 100;

const noSubject = () => new DomainError("cannot-process", { reason: { code: "no-subject" } });

type PlaceOptions = { background: Source; region: Rectangle; path: string; context: RunContext };

/** Composites the region over the uploaded background, which covers it, centred. */
async function placeBefore(work: PictureFile, { background, region, path, context }: PlaceOptions): Promise<void> {
  const image = coverWith(background, region).ensureAlpha();
  await withPictureFile(image, path, (behind) => compositeOver(work, { part: region, behind, signal: context.signal }));
}

/** Formats without transparency get a white background. */
const flattenedFor = (target: OutputFormat, options: Options): Options =>
  formats[target].holds.alpha || options.mask_only || isColour(options.background)
    ? options
    : { ...options, background: "#ffffff" };

/** The shown region in a format other than PNG, with a note for each loss. */
async function writeAs(
  target: OutputFormat,
  work: PictureFile,
  { source, options, region, path, signal, isFilled }: CutOutWriteOptions & { options: Options },
): Promise<WrittenPicture> {
  const { holds } = formats[target];
  // WebP and AVIF are always written as colour, to which a grey profile does not apply.
  const isSrgb = source.hasProfile && (!holds.profile || source.isGrey);
  const storable = {
    ...source,
    depth: holds.depth16 ? source.depth : 8,
    hasProfile: source.hasProfile && !isSrgb,
  } as const;
  const image = shown(sharp(work.path, { limitInputPixels: false }).extract(region), {
    source: storable,
    options: flattenedFor(target, options),
    isFilled,
  });
  return writePicture(isSrgb ? image.withIccProfile("srgb", { attach: false }) : image, {
    format: target,
    path,
    ...codingFor(options.quality),
    signal,
  });
}
