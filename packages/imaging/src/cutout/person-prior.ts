import type { Source } from "../formats/open-source.ts";
import type { ModelId } from "../model/catalogue.ts";
import type { Models } from "../model/session.ts";
import type { PictureFile } from "../raster/picture-file.ts";
import { findComponents } from "./components.ts";
import { depthInside } from "./depth.ts";
import { type Matte, type Region, sampleGrid } from "./matte.ts";
import { modelInput, sidesFor } from "./model-input.ts";

/**
 * The places of a part of the picture where a person is, 0..1, on a matte's grid. Two small networks gave it, which know
 * nothing but people: coarse, and right about clothes and limbs that the large network takes for background.
 */
export type PersonPrior = Float32Array;

type Asking = {
  source: Source;
  models: Pick<Models, "useIfThere">;
  region: Region;
  grid: { width: number; height: number };
};

const networks = ["person", "person-landscape"] as const satisfies readonly ModelId[];

/** The mean of both networks. One alone is worse (0.967 became 0.739 on one photograph). Undefined where one is missing. */
export async function askPersonPrior(
  work: PictureFile,
  { source, models, region, grid }: Asking,
): Promise<PersonPrior | undefined> {
  const mean = new Float32Array(grid.width * grid.height);
  for (const id of networks) {
    const answer = await models.useIfThere(id, async (model) => {
      const { heightPx, widthPx } = sidesFor(model.row.input);
      const input = await modelInput(work, { source, region, row: model.row });
      const values = await model.run(input, { heightPx, widthPx });
      return { values, width: widthPx, height: heightPx };
    });
    if (!answer) return undefined;
    const whole = { left: 0, top: 0, ...grid };
    const fine = sampleGrid(answer.values, { matte: { ...answer, region: whole }, part: whole, outside: 0 });
    for (let cell = 0; cell < mean.length; cell += 1)
      mean[cell] = (mean[cell] as number) + Math.min(1, Math.max(0, fine[cell] as number)) / networks.length;
  }
  return mean;
}

const isSubject = 0.5;
const isSure = 0.9;

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
 * Bounds of what the prior is believed. Networks that know nothing but people call a lion one, and the dark animal
 * behind an alpaca: on photographs of single people their doubt is below 0.15 in 92 of 100, and they cover the subject.
 * docs/cutout.md has the figures.
 */
const believed = { doubt: 0.3, doubtWhereMuchIsMissing: 0.15, found: 0.3, nearlyAllFound: 0.9, covered: 0.8 };

/** Whether the prior is decided enough to be asked at all. */
export const isSurePrior = (prior: PersonPrior): boolean => doubtOf(prior) < believed.doubt;

/** Whether the subject of a matte is a person, by the prior's own certainty and what both have in common. */
export function showsPerson(matte: Pick<Matte, "values">, prior: PersonPrior): boolean {
  const doubt = doubtOf(prior);
  const { found, covered } = agreementOf(matte, prior);
  const limit = found >= believed.nearlyAllFound ? believed.doubt : believed.doubtWhereMuchIsMissing;
  return doubt < limit && found >= believed.found && covered >= believed.covered;
}

/** Lengths in cells of a grid of 1024, and a share of the picture. */
const adding = { erosion: 8, growth: 16, leastShare: 0.003, reference: 1024 };

/**
 * Adds the parts of a person that the matte lacks: where the prior is sure, and the part hangs together with the
 * subject and is no mere rim of it. Elsewhere the matte stays as it is: filling or overruling doubtful cells by the
 * prior made pictures worse.
 */
export function addMissingParts(matte: Matte, prior: PersonPrior): Matte {
  const { values, width, height } = matte;
  if (!showsPerson(matte, prior)) return matte;
  const scale = Math.max(width, height) / adding.reference;
  const missing = Uint8Array.from(values, (value, cell) =>
    value <= isSubject && (prior[cell] as number) > isSure ? 1 : 0,
  );
  const { values: depth, stride } = depthInside(missing, matte);
  const parts = findComponents(missing, matte);
  const cores = parts.sizes.map(() => 0);
  const isBeside = parts.sizes.map(() => false);
  const isDeep = (x: number, y: number) => (depth[(y + 1) * stride + x + 1] as number) > adding.erosion * scale;
  for (let y = 0, cell = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, cell += 1) {
      const part = parts.labels[cell] as number;
      if (part === 0) continue;
      if (isDeep(x, y)) cores[part] = (cores[part] as number) + 1;
      isBeside[part] ||= touchesSubject(matte, x, y);
    }
  const isKept = cores.map(
    (cells, part) => part > 0 && isBeside[part] === true && cells >= adding.leastShare * values.length,
  );
  if (!isKept.includes(true)) return matte;
  const outside = new Uint8Array(values.length).fill(1);
  for (let y = 0, cell = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, cell += 1)
      if (isKept[parts.labels[cell] as number] && isDeep(x, y)) outside[cell] = 0;
  const { values: away } = depthInside(outside, matte);
  const added = values.slice();
  for (let y = 0, cell = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, cell += 1)
      if ((away[(y + 1) * stride + x + 1] as number) <= adding.growth * scale)
        added[cell] = Math.max(values[cell] as number, prior[cell] as number);
  return { ...matte, values: added };
}

/** Within two cells: between a sure person and the subject a cell of the matte's transition may lie. */
function touchesSubject({ values, width, height }: Matte, x: number, y: number): boolean {
  const isIn = (nearX: number, nearY: number) =>
    nearX >= 0 &&
    nearX < width &&
    nearY >= 0 &&
    nearY < height &&
    (values[nearY * width + nearX] as number) > isSubject;
  return isIn(x - 2, y) || isIn(x + 2, y) || isIn(x, y - 2) || isIn(x, y + 2);
}
