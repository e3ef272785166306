import { findComponents } from "./components.ts";
import { depthInside } from "./depth.ts";
import type { Matte } from "./matte.ts";
import { agreementOf, isSubject, isSure, type PersonPrior, showsPerson } from "./person-prior.ts";

/** Lengths in cells of a grid of 1024, and shares of the picture and of the prior's sure cells. */
const adding = { erosion: 8, growth: 12, fade: 8, leastShare: 0.003, muchIsMissing: 0.1, reference: 1024 };

/**
 * Adds the parts of a person that the matte lacks: where the prior is sure, and the part hangs together with the
 * subject and is no mere rim of it. If the matte lacks much of the person, such a part goes on as far as the
 * prior sees a person at all: beside a lost shoulder the network has lost the patterned shirt too (0.454 became 0.618 by
 * the sure part alone, 0.956 by both). Elsewhere the matte stays as it is: filling or overruling doubtful cells by the
 * prior made pictures worse.
 */
export function addMissingParts(matte: Matte, prior: PersonPrior): Matte {
  if (!showsPerson(matte, prior)) return matte;
  const sure = coresWhere(matte, { prior, above: isSure });
  const isKept = partsBeside(matte, sure);
  if (!isKept.includes(true)) return matte;
  const inside = cellsOf(sure, isKept);
  if (agreementOf(matte, prior).found < 1 - adding.muchIsMissing) {
    const likely = coresWhere(matte, { prior, above: isSubject });
    const goesOn = likely.sizes.map(() => false);
    for (let cell = 0; cell < inside.length; cell += 1) if (inside[cell]) goesOn[likely.labels[cell] as number] = true;
    goesOn[0] = false;
    for (const [cell, isIn] of cellsOf(likely, goesOn).entries()) if (isIn) inside[cell] = 1;
  }
  return mergePrior(matte, { prior, inside });
}

/** Parts that the matte lacks, and of each the cells deeper inside than the erosion. */
type Missing = { labels: Int32Array; sizes: number[]; isDeep: Uint8Array };

function coresWhere(matte: Matte, { prior, above }: { prior: PersonPrior; above: number }): Missing {
  const { values, width, height } = matte;
  const missing = new Uint8Array(values.length);
  for (let cell = 0; cell < missing.length; cell += 1)
    if ((values[cell] as number) <= isSubject && (prior[cell] as number) > above) missing[cell] = 1;
  const { labels, sizes } = findComponents(missing, matte);
  const { values: depth, stride } = depthInside(missing, matte);
  const least = adding.erosion * scaleOf(matte);
  const isDeep = new Uint8Array(values.length);
  for (let y = 0, cell = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, cell += 1)
      if ((depth[(y + 1) * stride + x + 1] as number) > least) isDeep[cell] = 1;
  return { labels, sizes, isDeep };
}

const scaleOf = ({ width, height }: Matte) => Math.max(width, height) / adding.reference;

/** By label, whether a part touches the subject and is large enough. */
function partsBeside(matte: Matte, { labels, sizes, isDeep }: Missing): boolean[] {
  const { width, height } = matte;
  const cores = sizes.map(() => 0);
  const isBeside = sizes.map(() => false);
  for (let y = 0, cell = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, cell += 1) {
      const part = labels[cell] as number;
      if (part === 0) continue;
      cores[part] = (cores[part] as number) + (isDeep[cell] as number);
      isBeside[part] ||= touchesSubject(matte, x, y);
    }
  return cores.map((cells, part) => part > 0 && isBeside[part] === true && cells >= adding.leastShare * labels.length);
}

function cellsOf({ labels, isDeep }: Missing, isKept: boolean[]): Uint8Array {
  const cells = new Uint8Array(labels.length);
  for (let cell = 0; cell < cells.length; cell += 1)
    if (isDeep[cell] && isKept[labels[cell] as number]) cells[cell] = 1;
  return cells;
}

/** The larger of both around the added cells. The prior fades out where they end: a bare end would be a border. */
function mergePrior(matte: Matte, { prior, inside }: { prior: PersonPrior; inside: Uint8Array }): Matte {
  const { width, height } = matte;
  const { values: away, stride } = depthInside(
    inside.map((isIn) => 1 - isIn),
    matte,
  );
  const scale = scaleOf(matte);
  const values = matte.values.slice();
  for (let y = 0, cell = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, cell += 1) {
      const beyond = (away[(y + 1) * stride + x + 1] as number) / scale - adding.growth;
      const share = Math.min(1, 1 - beyond / adding.fade);
      if (share > 0) values[cell] = Math.max(values[cell] as number, share * (prior[cell] as number));
    }
  return { ...matte, values };
}

/** Within two cells, because the matte's transition may put a cell between a sure person and the subject. */
function touchesSubject({ values, width, height }: Matte, x: number, y: number): boolean {
  const isIn = (nearX: number, nearY: number) =>
    nearX >= 0 &&
    nearX < width &&
    nearY >= 0 &&
    nearY < height &&
    (values[nearY * width + nearX] as number) > isSubject;
  return isIn(x - 2, y) || isIn(x + 2, y) || isIn(x, y - 2) || isIn(x, y + 2);
}
