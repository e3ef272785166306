import type { Source } from "../formats/open-source.ts";
import type { ModelId } from "../model/catalogue.ts";
import type { Models } from "../model/session.ts";
import type { PictureFile } from "../raster/picture-file.ts";
import { type Matte, onGridOf, type Region } from "./matte.ts";
import { modelInput, sidesFor } from "./model-input.ts";

/**
 * The places of a part of the picture where a person is, 0..1, on a matte's grid. Two small networks gave it, which know
 * nothing but people: coarse, and right about clothes and limbs that the large network takes for background.
 */
export type PersonPrior = Float32Array;

type Asking = {
  source: Source;
  models: Pick<Models, "useIfThere">;
  /** The part of the picture that the networks see. */
  region: Region;
  /** The grid of the answer; outside of `region` it is 0. */
  onto: Omit<Matte, "values">;
};

const networks = ["person", "person-landscape"] as const satisfies readonly ModelId[];

/** The mean of both networks. One alone is worse (0.967 became 0.739 on one photograph). Undefined where one is missing. */
export async function askPersonPrior(
  work: PictureFile,
  { source, models, region, onto }: Asking,
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

/** Cells above it are in a subject. */
export const isSubject = 0.5;
/** Cells above it are a person without doubt. */
export const isSure = 0.9;

/** How undecided a network is: its distance from 0 and 1, summed, over the size of its subject. */
export function doubtOf(values: Float32Array): number {
  let [distance, subject] = [0, 0];
  for (const value of values) {
    distance += Math.min(value, 1 - value);
    if (value > isSubject) subject += 1;
  }
  return distance / Math.max(1, subject);
}

/** How a matte and a prior agree, each a share of 0..1. */
type Agreement = {
  /** The overlap (IoU) of both subjects. */
  overlap: number;
  /** Of the prior's sure cells, those in the matte's subject. */
  found: number;
  /** Of the matte's subject, the cells that the prior calls a person. */
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
 * Bounds of what the prior is believed. Networks that know nothing but people call a lion one, the dark animal behind an
 * alpaca, and the ground between a camel's legs: a prior in some doubt has to cover all of the subject, of which a network
 * that lost a coat still has the head. docs/cutout.md has the figures.
 */
const believed = { doubt: 0.3, found: 0.3, covered: 0.8, doubtBesideOthers: 0.12, wholly: 0.96 };

/** Whether the prior is decided enough to be used. */
export const isSurePrior = (prior: PersonPrior): boolean => doubtOf(prior) < believed.doubt;

/** Whether the subject of a matte is a person, by the prior's own certainty and what both have in common. */
export function showsPerson(matte: Pick<Matte, "values">, prior: PersonPrior): boolean {
  const doubt = doubtOf(prior);
  const { found, covered } = agreementOf(matte, prior);
  const limit = covered >= believed.wholly ? believed.doubt : believed.doubtBesideOthers;
  return doubt < limit && found >= believed.found && covered >= believed.covered;
}

/** Within these bounds, the overlap of a matte with the prior measures how good the matte is. */
const vouching = { doubt: 0.25, found: 0.3, covered: 0.85 };

/**
 * The overlap (IoU) of a person's matte with the prior. Undefined where the prior is not decided, or the matte has much
 * that is no person: the overlap would then tell of the prior's faults.
 */
export function personOverlapOf(matte: Pick<Matte, "values">, prior: PersonPrior): number | undefined {
  const { overlap, found, covered } = agreementOf(matte, prior);
  const isKnown = doubtOf(prior) < vouching.doubt && found >= vouching.found && covered >= vouching.covered;
  return isKnown ? overlap : undefined;
}
