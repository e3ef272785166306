import type { Rectangle } from "@tintype/codecs/raster";
import type { Source } from "../formats/open-source.ts";
import type { ModelId } from "../model/catalogue.ts";
import type { Models } from "../model/session.ts";
import type { PictureFile } from "../raster/picture-file.ts";
import { type Matte, onGridOf } from "./matte.ts";
import { modelInput, sidesFor } from "./model-input.ts";

/**
 * The probability of a person in each cell of a matte's grid, 0..1. It comes from two small networks trained on people
 * only: coarse, but right about clothes and limbs that the large network classifies as background.
 */
export type PersonPrior = Float32Array;

type PersonPriorOptions = {
  source: Source;
  models: Pick<Models, "useIfThere">;
  /** The crop that the networks see. */
  region: Rectangle;
  /** The grid of the result; outside `region` it is 0. */
  onto: Omit<Matte, "values">;
};

const networks = ["person", "person-landscape"] as const satisfies readonly ModelId[];

/**
 * The mean of both networks. One alone is worse (IoU 0.967 fell to 0.739 on one photograph). Undefined if one is
 * missing.
 */
export async function inferPersonPrior(
  work: PictureFile,
  { source, models, region, onto }: PersonPriorOptions,
): Promise<PersonPrior | undefined> {
  const mean = new Float32Array(onto.width * onto.height);
  for (const id of networks) {
    const answer = await models.useIfThere(id, async (model) => {
      const { heightPx, widthPx } = sidesFor(model.row.input);
      const input = await modelInput(work, { source, region, row: model.row });
      const values = await model.run(input, { heightPx, widthPx });
      return { values, width: widthPx, height: heightPx, region };
    });
    if (!answer) return undefined;
    const fine = onGridOf(onto, answer);
    for (let cell = 0; cell < mean.length; cell += 1)
      mean[cell] = (mean[cell] as number) + Math.min(1, Math.max(0, fine[cell] as number)) / networks.length;
  }
  return mean;
}

/** Cells above this belong to a subject. */
export const isSubject = 0.5;
/** Cells above this are a person with confidence. */
export const isSure = 0.9;

/** How uncertain a network is: the summed distance of its values from 0 and 1, divided by the size of its subject. */
export function doubtOf(values: Float32Array): number {
  let [distance, subject] = [0, 0];
  for (const value of values) {
    distance += Math.min(value, 1 - value);
    if (value > isSubject) subject += 1;
  }
  return distance / Math.max(1, subject);
}

/** The agreement of a matte with a prior, as shares of 0..1. */
type Agreement = {
  /** The overlap (IoU) of both subjects. */
  overlap: number;
  /** The share of the prior's confident cells that the matte's subject contains. */
  found: number;
  /** The share of the matte's subject that the prior classifies as a person. */
  covered: number;
};

export function agreementOf({ values }: Pick<Matte, "values">, prior: PersonPrior): Agreement {
  const count = { both: 0, either: 0, sure: 0, found: 0, subject: 0 };
  for (let cell = 0; cell < values.length; cell += 1) {
    const isIn = (values[cell] as number) > isSubject;
    const likely = prior[cell] as number;
    if (isIn) count.subject += 1;
    if (isIn && likely > isSubject) count.both += 1;
    if (isIn || likely > isSubject) count.either += 1;
    if (likely <= isSure) continue;
    count.sure += 1;
    if (isIn) count.found += 1;
  }
  return {
    overlap: count.both / Math.max(1, count.either),
    found: count.found / Math.max(1, count.sure),
    covered: count.both / Math.max(1, count.subject),
  };
}

/**
 * Limits on trusting the prior. Networks trained on people only also fire on a lion, on the dark animal behind an
 * alpaca, and on the ground between a camel's legs: an uncertain prior must cover all of the subject, of which a
 * network that lost a coat still has the head. Figures: docs/cutout.md.
 */
const priorLimits = { doubt: 0.3, found: 0.3, covered: 0.8, doubtBesideOthers: 0.12, wholly: 0.96 };

/** Whether the prior is certain enough to be used. */
export const isSurePrior = (prior: PersonPrior): boolean => doubtOf(prior) < priorLimits.doubt;

/** Whether a matte's subject is a person, by the prior's certainty and its agreement with the matte. */
export function showsPerson(matte: Pick<Matte, "values">, prior: PersonPrior): boolean {
  const doubt = doubtOf(prior);
  const { found, covered } = agreementOf(matte, prior);
  const limit = covered >= priorLimits.wholly ? priorLimits.doubt : priorLimits.doubtBesideOthers;
  return doubt < limit && found >= priorLimits.found && covered >= priorLimits.covered;
}

/** Within these limits, the overlap of a matte with the prior measures the matte's quality. */
const agreementLimits = { doubt: 0.25, found: 0.3, covered: 0.85 };

/**
 * The overlap (IoU) of a person's matte with the prior. Undefined if the prior is uncertain, or much of the matte is
 * not a person: the overlap would then measure the prior's errors.
 */
export function personOverlapOf(matte: Pick<Matte, "values">, prior: PersonPrior): number | undefined {
  const { overlap, found, covered } = agreementOf(matte, prior);
  const isKnown =
    doubtOf(prior) < agreementLimits.doubt && found >= agreementLimits.found && covered >= agreementLimits.covered;
  return isKnown ? overlap : undefined;
}
