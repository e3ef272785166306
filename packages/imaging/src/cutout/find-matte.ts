import type { Rectangle } from "@tintype/codecs/raster";
import { createBounds, isEmpty, wholeOf, widen, within } from "@tintype/codecs/raster";
import type { Stage } from "@tintype/contract";
import type { Source } from "../formats/open-source.ts";
import type { OpenModel } from "../model/inference.ts";
import type { Models } from "../model/session.ts";
import type { PictureFile } from "../raster/picture-file.ts";
import { addMissingParts } from "./add-missing-parts.ts";
import { cleanMatte } from "./clean-matte.ts";
import { findComponents } from "./components.ts";
import { confidenceOf } from "./confidence.ts";
import { cellPx, type Matte, onGridOf } from "./matte.ts";
import { modelInput, sidesFor } from "./model-input.ts";
import {
  agreementOf,
  doubtOf,
  inferPersonPrior,
  isSurePrior,
  type PersonPrior,
  personOverlapOf,
} from "./person-prior.ts";
import type { Profile } from "./profiles.ts";

export type FoundMatte = {
  /** The matte of all passes, merged, before cleaning. */
  matte: Matte;
  /** If the matte has a closer pass: the overlap (IoU) of both passes, 0..1. */
  agreement?: number;
  /**
   * If the subject is a person with confidence: the overlap (IoU) of the first matte, added parts included, with the
   * prior.
   */
  personOverlap?: number;
  views: Views;
};

/** The intermediate mattes, from which other candidates are made. */
export type Views = {
  /** Of the whole picture, unchanged. */
  plain: Matte;
  /** Of the darkened picture, if that was run. */
  darker?: Matte;
  /** The better of both, with added parts. */
  first: Matte;
  /** From the person networks: on the grid of the whole picture, and on that of the closer pass. */
  prior?: PersonPrior;
  nearPrior?: PersonPrior;
};

export type MattePass = "first" | "darker" | "closer";

type Context = {
  source: Source;
  models: Pick<Models, "use" | "useIfThere">;
  profile: Profile;
  signal: AbortSignal;
  /** Called before each inference starts. */
  onPass(pass: MattePass): void;
  /** Receives the stage that delays an inference: loading the model. */
  onStage?(stage: Stage): void;
};

/**
 * Finds the subject: one pass over the whole picture and, if the subject is small in a large picture, a closer pass
 * over a crop, which shows the model more detail. The crop has a margin of a quarter of the subject's size: cropped
 * tighter, the model classified parts of people as background (mean IoU on the 20 pairs of `npm run bench:cutout` .955
 * with a margin of 8 %, .959 with 25 %, .958 without a closer pass).
 */
export async function findMatte(work: PictureFile, context: Context): Promise<FoundMatte> {
  const whole = wholeOf(work);
  const plain = await inferMatte(work, whole, { ...context, onOpen: () => context.onPass("first") });
  const cleaned = cleanMatte(plain, context.profile);
  const prior = await priorAround(work, { plain, cleaned, context });
  const {
    matte: seen,
    exponent,
    darker,
  } = prior ? await choosePass(work, { plain, prior, context }) : { matte: plain, exponent: 1 };
  const first = prior ? addMissingParts(seen, prior) : seen;
  const personOverlap = prior && personOverlapOf(first, prior);
  const person = personOverlap === undefined ? {} : { personOverlap };
  const closer = closerRegion(first === plain ? cleaned : cleanMatte(first, context.profile), whole);
  const views = { plain, first, ...(darker ? { darker } : {}), ...(prior ? { prior } : {}) };
  if (!closer) return { matte: first, ...person, views };
  context.signal.throwIfAborted();
  const near = await inferMatte(work, closer, { ...context, exponent, onOpen: () => context.onPass("closer") });
  const nearPrior = prior && (await inferPersonPrior(work, { ...context, region: closer, onto: near }));
  const merged = mergeMattes(first, nearPrior ? addMissingParts(near, nearPrior) : near);
  if (merged.agreement < leastAgreement && isBetterAlone(first, near)) return { matte: first, ...person, views };
  return { ...merged, ...person, views: { ...views, ...(nearPrior ? { nearPrior } : {}) } };
}

/** Below this overlap (IoU) both passes saw different things, and their average is neither. */
const leastAgreement = 0.3;
/** A subject whose largest connected part is a smaller share of it is in pieces. */
const leastWhole = 0.5;

/**
 * Whether the closer pass is less certain than the first one or sees its subject in pieces, as a fence that is one area
 * from afar and bars up close. Certain and in one piece, it saw a small subject that the first pass took something
 * larger for: of the five of `npm run bench:cutout -- <folder> small` one is found only so (IoU 0.80 instead of 0.07).
 */
function isBetterAlone(first: Matte, closer: Matte): boolean {
  if (confidenceOf({ matte: closer }) < confidenceOf({ matte: first })) return true;
  const isIn = Uint8Array.from(closer.values, (value) => (value > 0.5 ? 1 : 0));
  const { sizes } = findComponents(isIn, closer);
  return Math.max(...sizes) < leastWhole * sizes.reduce((sum, size) => sum + size, 0);
}

type Inference = Pick<Context, "source" | "models" | "signal" | "onStage"> & {
  /** As for `modelInput`. */
  exponent?: number;
  /** Called when the model is open. */
  onOpen?(): void;
};

/** Runs the model on a crop of the picture. */
export async function inferMatte(
  work: PictureFile,
  region: Rectangle,
  { source, models, signal, onStage, onOpen, exponent = 1 }: Inference,
): Promise<Matte> {
  const infer = async ({ row, run }: OpenModel) => {
    onOpen?.();
    const sides = sidesFor(row.input);
    const values = await run(await modelInput(work, { source, region, row, exponent }), sides);
    return { values, width: sides.widthPx, height: sides.heightPx, region };
  };
  return models.use("background", infer, { signal, ...(onStage ? { onStage } : {}) });
}

type Around = { plain: Matte; cleaned: Matte; context: Context };

/**
 * Runs the person networks on the whole picture. If the subject is small in it, their output for a crop around it
 * replaces that, provided that it is more certain. Their grids are small: of 256 cells, a group in the distance covers
 * a dozen.
 */
async function priorAround(work: PictureFile, { plain, cleaned, context }: Around): Promise<PersonPrior | undefined> {
  if (!context.profile.looksForPeople) return undefined;
  const whole = await inferPersonPrior(work, { ...context, region: plain.region, onto: plain });
  const region = whole && surroundingsOf(cleaned, plain.region);
  const near = region && (await inferPersonPrior(work, { ...context, region, onto: plain }));
  return near && doubtOf(near) < doubtOf(whole) && !isCutOff({ ...plain, values: near }, region) ? near : whole;
}

/** Whether a person extends beyond a crop: half a body would be added, with a straight edge. */
function isCutOff(seen: Matte, part: Rectangle): boolean {
  const box = subjectBox(seen);
  if (!box) return false;
  const { region } = seen;
  const [across, down] = [2 * (region.width / seen.width), 2 * (region.height / seen.height)];
  const right = ({ left, width }: Rectangle) => left + width;
  const bottom = ({ top, height }: Rectangle) => top + height;
  return (
    (part.left > region.left && box.left < part.left + across) ||
    (part.top > region.top && box.top < part.top + down) ||
    (right(part) < right(region) && right(box) > right(part) - across) ||
    (bottom(part) < bottom(region) && bottom(box) > bottom(part) - down)
  );
}

/**
 * The network classifies light hair in front of a white wall as wall; it recognises more of it in a darkened picture.
 */
const darkening = { exponent: 2.2, leastDoubt: 0.06, gain: 0.01 };

type Darker = { plain: Matte; prior: PersonPrior; context: Context };

/**
 * If the network is uncertain about a person: one pass over a darkened picture. It replaces the plain one if it is more
 * certain and agrees better with the prior: by certainty alone the choice was wrong on two of three photographs (IoU
 * 0.948 fell to 0.803). The mean of both is worse than either.
 */
async function choosePass(
  work: PictureFile,
  { plain, prior, context }: Darker,
): Promise<{ matte: Matte; exponent: number; darker?: Matte }> {
  const same = { matte: plain, exponent: 1 };
  const doubt = doubtOf(plain.values);
  if (doubt <= darkening.leastDoubt || !isSurePrior(prior)) return same;
  const darker = await inferDarker(work, plain, context);
  const gain = agreementOf(darker, prior).overlap - agreementOf(plain, prior).overlap;
  const isBetter = doubtOf(darker.values) < doubt && gain > darkening.gain;
  return isBetter ? { matte: darker, exponent: darkening.exponent, darker } : { ...same, darker };
}

/** Runs the model on the darkened picture. */
export async function inferDarker(work: PictureFile, plain: Matte, context: Context): Promise<Matte> {
  context.signal.throwIfAborted();
  const onOpen = () => context.onPass("darker");
  return inferMatte(work, plain.region, { ...context, exponent: darkening.exponent, onOpen });
}

const margin = 0.25;
/** A closer pass costs as much as the first: the crop must magnify the subject by at least this much. */
const minZoom = 1.2;

/** The crop for a closer pass, or undefined if it would show no more detail than the first pass. */
export const closerRegion = (cleaned: Matte, whole: Rectangle): Rectangle | undefined =>
  cellPx(cleaned) <= minZoom ? undefined : surroundingsOf(cleaned, whole);

/** The subject's bounding box with a margin, or undefined if that is hardly smaller than the whole. */
function surroundingsOf(cleaned: Matte, whole: Rectangle): Rectangle | undefined {
  const box = subjectBox(cleaned);
  if (!box) return undefined;
  const around = within(widen(box, Math.round(margin * Math.max(box.width, box.height))), whole);
  const zoom = Math.sqrt((whole.width * whole.height) / (around.width * around.height));
  return zoom < minZoom ? undefined : around;
}

/** The bounding box, px, of all cells with an alpha above 0.5; undefined if there are none. */
export function subjectBox({ values, width, height, region }: Matte): Rectangle | undefined {
  const bounds = createBounds();
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) if ((values[y * width + x] as number) > 0.5) bounds.add(x, y);
  const cells = bounds.rectangle();
  if (isEmpty(cells)) return undefined;
  const [cellWidth, cellHeight] = [region.width / width, region.height / height];
  const [x, y] = [Math.floor(cells.left * cellWidth), Math.floor(cells.top * cellHeight)];
  return {
    left: region.left + x,
    top: region.top + y,
    width: Math.min(region.width, Math.ceil((cells.left + cells.width) * cellWidth)) - x,
    height: Math.min(region.height, Math.ceil((cells.top + cells.height) * cellHeight)) - y,
  };
}

/** Passes that differ by more than this contradict each other: neither is trusted alone. */
const contradiction = 0.4;

/** The closer pass, averaged with the first one where they contradict each other: the first saw more context. */
function mergeMattes(first: Matte, closer: Matte): { matte: Matte; agreement: number } {
  const before = onGridOf(closer, first);
  let [both, either] = [0, 0];
  const values = closer.values.map((value, cell) => {
    const other = Math.min(1, Math.max(0, before[cell] as number));
    both += Math.min(value, other);
    either += Math.max(value, other);
    return Math.abs(value - other) > contradiction ? (value + other) / 2 : value;
  });
  return { matte: { ...closer, values }, agreement: either === 0 ? 0 : both / either };
}
