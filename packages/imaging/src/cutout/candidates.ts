import type { PictureFile } from "../raster/picture-file.ts";
import { cleanMatte } from "./clean-matte.ts";
import { findComponents } from "./components.ts";
import { confidenceOf } from "./confidence.ts";
import { type FoundMatte, type findMatte, inferDarker } from "./find-matte.ts";
import { type Matte, onGridOf } from "./matte.ts";
import { agreementOf, isSubject, isSurePrior, type PersonPrior, personOverlapOf } from "./person-prior.ts";
import type { Profile } from "./profiles.ts";

/** One possible cut-out: a cleaned matte and its `confidenceOf`. */
export type CutOutCandidate = { matte: Matte; confidence: number };

/** The most candidates offered, including the one shown. */
export const maxCandidates = 3;
/** Mattes whose overlap (IoU) exceeds this look the same in a thumbnail. */
const alike = 0.97;
/** Below this confidence of the shown matte, another inference is worth its time. */
const unsureBelow = 0.8;

/**
 * The candidates of a picture. If the confidence of the result is low and the darkened picture has not been tried yet,
 * that inference runs first: it takes as long as the first one.
 */
export async function findCandidates(
  work: PictureFile,
  { found, finding }: { found: FoundMatte; finding: Parameters<typeof findMatte>[1] },
): Promise<CutOutCandidate[]> {
  const { views } = found;
  if (views.darker || confidenceOf(found) >= unsureBelow) return candidatesOf(found, finding.profile);
  const darker = await inferDarker(work, views.plain, finding);
  return candidatesOf({ ...found, views: { ...views, darker } }, finding.profile);
}

/**
 * The shown matte, then alternatives that differ from it and from each other, the most likely first: with the person's
 * body joined, the other of the plain and the darkened result, without the closer pass, and the network's uncorrected
 * output. All come from inferences that have already run.
 */
export function candidatesOf(found: FoundMatte, profile: Profile): CutOutCandidate[] {
  const { plain, darker, first, prior } = found.views;
  const clean = (matte: Matte) => cleanMatte(matte, profile);
  const shown: CutOutCandidate = { matte: clean(found.matte), confidence: confidenceOf(found) };
  const isPerson = prior !== undefined && agreesWithPrior(plain, prior);
  const passes = darker ? [darker, plain] : [plain];
  const mattes = [
    ...(isPerson ? [joinedOf(found, prior), ...passes.map((pass) => join(pass, prior))] : []),
    first,
    ...passes,
  ];
  const chosen = [shown];
  for (const matte of mattes) {
    if (chosen.length === maxCandidates) break;
    const other = { matte: clean(matte), confidence: confidenceIn(matte, found.views) };
    const isEmpty = !other.matte.values.some((value) => value > isSubject);
    if (!isEmpty && chosen.every((one) => overlapOf(one.matte, other.matte, plain) < alike)) chosen.push(other);
  }
  return chosen;
}

function confidenceIn(matte: Matte, { plain, prior }: FoundMatte["views"]): number {
  const personOverlap = prior && personOverlapOf({ ...plain, values: onGridOfWhole(matte, plain) }, prior);
  return confidenceOf({ matte, ...(personOverlap === undefined ? {} : { personOverlap }) });
}

/**
 * The shown matte joined with the person's body. A closer crop may lack the body: the prior of the whole picture then
 * applies.
 */
function joinedOf(found: FoundMatte, prior: PersonPrior): Matte {
  const { matte, views } = found;
  if (matte.region === views.plain.region) return join(matte, prior);
  return views.nearPrior && !lacksPart(matte, views) ? join(matte, views.nearPrior) : join(views.first, prior);
}

/** The maximum of both wherever the prior classifies a cell as a person. */
const join = (matte: Matte, prior: PersonPrior): Matte => ({
  ...matte,
  values: matte.values.map((value, cell) => {
    const likely = prior[cell] as number;
    return likely > isSubject ? Math.max(value, likely) : value;
  }),
});

/** The prior is also confident about a lion or a statue: trust it only where it contains the network's subject. */
const priorLimits = { found: 0.05, covered: 0.6 };

function agreesWithPrior(matte: Matte, prior: PersonPrior): boolean {
  const { found, covered } = agreementOf(matte, prior);
  return isSurePrior(prior) && found >= priorLimits.found && covered >= priorLimits.covered;
}

/**
 * Cells above `above` count as certain. A connected part of at least these shares of them and of the picture is neither
 * a rim nor a hand. Of the 40 pictures of `npm run bench:cutout -- <folder> pairs busts` these bounds flag the two with
 * an IoU below 0.8, and no others.
 */
const large = { above: 0.7, ofPerson: 0.12, ofPicture: 0.01 };

/**
 * Whether the matte lacks a large connected part of a person that the person networks are confident about: a head
 * without its shoulders.
 */
export function isIncomplete({ matte, views }: FoundMatte, profile: Profile): boolean {
  return lacksPart(cleanMatte(matte, profile), views);
}

function lacksPart(matte: Matte, { plain, prior }: FoundMatte["views"]): boolean {
  if (!prior || !agreesWithPrior(plain, prior)) return false;
  const values = onGridOfWhole(matte, plain);
  const isMissing = new Uint8Array(prior.length);
  let sure = 0;
  for (let cell = 0; cell < prior.length; cell += 1) {
    if ((prior[cell] as number) <= large.above) continue;
    sure += 1;
    if ((values[cell] as number) <= isSubject) isMissing[cell] = 1;
  }
  const largest = Math.max(...findComponents(isMissing, plain).sizes);
  return largest >= large.ofPerson * sure && largest >= large.ofPicture * prior.length;
}

/** The overlap (IoU) of two subjects, on the grid of the whole picture. */
function overlapOf(one: Matte, other: Matte, whole: Matte): number {
  const [own, others] = [onGridOfWhole(one, whole), onGridOfWhole(other, whole)];
  let [both, either] = [0, 0];
  for (let cell = 0; cell < own.length; cell += 1) {
    const [isIn, isInOther] = [(own[cell] as number) > isSubject, (others[cell] as number) > isSubject];
    if (isIn && isInOther) both += 1;
    if (isIn || isInOther) either += 1;
  }
  return both / Math.max(1, either);
}

const onGridOfWhole = (matte: Matte, whole: Matte): Float32Array =>
  matte.region === whole.region ? matte.values : onGridOf(whole, matte);
