import { type Components, findComponents } from "./components.ts";
import { depthInside } from "./depth.ts";
import type { Matte } from "./matte.ts";
import type { Profile } from "./profiles.ts";

/**
 * Decides what belongs to the subject, as the profile says: drops islands, fills holes, and makes the interior opaque.
 * The outline is unchanged.
 */
export function cleanMatte(matte: Matte, profile: Profile): Matte {
  const values = matte.values.slice();
  dropIslands(values, matte, profile);
  fillHoles(values, matte, profile);
  makeSolid(values, matte, profile);
  return { ...matte, values };
}

const isSubject = 0.5;
/** Parts connected above this value are one: a spoke that the grid barely resolves. */
const isLinked = 0.2;
/** The largest residue that a network leaves on background it is confident about. */
const isTrace = 0.05;

function dropIslands(values: Float32Array, size: Matte, { islandShare }: Profile): void {
  const above = (level: number) => findComponents(cellsAbove(values, level), size);
  const [cores, linked, traces] = [above(isSubject), above(isLinked), above(isTrace)];
  const largest = cores.sizes.reduce((most, count) => Math.max(most, count));
  const isLarge = cores.sizes.map((count) => count > 0 && count >= islandShare * largest);
  const isLinkedKept = holding(linked, cores, isLarge);
  const isTraceKept = holding(traces, linked, isLinkedKept);
  for (let cell = 0; cell < values.length; cell += 1) {
    const label = linked.labels[cell] as number;
    const isKept = label === 0 ? isTraceKept[traces.labels[cell] as number] : isLinkedKept[label];
    if (!isKept) values[cell] = 0;
  }
}

function cellsAbove(values: Float32Array, level: number): Uint8Array {
  const cells = new Uint8Array(values.length);
  for (let cell = 0; cell < cells.length; cell += 1) if ((values[cell] as number) > level) cells[cell] = 1;
  return cells;
}

/** By label: whether a part contains cells of a kept part of `others`. */
function holding(parts: Components, others: Components, isKept: boolean[]): boolean[] {
  const found = parts.sizes.map(() => false);
  for (let cell = 0; cell < parts.labels.length; cell += 1)
    if (isKept[others.labels[cell] as number]) found[parts.labels[cell] as number] = true;
  found[0] = false;
  return found;
}

/** Fills a hole with the mean opacity of the cells around it: an opaque patch would show within a soft outline. */
function fillHoles(values: Float32Array, size: Matte, { holes }: Profile): void {
  const { width } = size;
  const isGap = cellsAbove(values, isSubject);
  for (let cell = 0; cell < isGap.length; cell += 1) isGap[cell] = 1 - (isGap[cell] as number);
  const gaps = findComponents(isGap, size);
  let subject = 0;
  const found = gaps.sizes.map(() => ({ least: 1, rim: 0, rimCells: 0 }));
  for (let cell = 0; cell < values.length; cell += 1) {
    const label = gaps.labels[cell] as number;
    if (label === 0) subject += 1;
    const hole = label === 0 || gaps.touchesBorder[label] ? undefined : found[label];
    if (!hole) continue;
    hole.least = Math.min(hole.least, values[cell] as number);
    for (let side = 0; side < 4; side += 1) {
      const next = side === 0 ? cell - 1 : side === 1 ? cell + 1 : side === 2 ? cell - width : cell + width;
      if (gaps.labels[next] !== 0) continue;
      hole.rim += values[next] as number;
      hole.rimCells += 1;
    }
  }
  const filling = found.map(({ least, rim, rimCells }, label) => {
    const isHole = (gaps.sizes[label] as number) >= holes.share * subject && least <= holes.opacity;
    return label === 0 || gaps.touchesBorder[label] || isHole || rimCells === 0 ? undefined : rim / rimCells;
  });
  for (let cell = 0; cell < values.length; cell += 1) {
    const value = filling[gaps.labels[cell] as number];
    if (value !== undefined) values[cell] = value;
  }
}

/** Cells at least `solidDepth` inside the subject become opaque, with a ramp towards the outline. */
function makeSolid(values: Float32Array, { width, height }: Matte, { solidDepth }: Profile): void {
  const { values: depth, stride } = depthInside(cellsAbove(values, isSubject), { width, height });
  for (let y = 0, cell = 0; y < height; y += 1)
    for (let x = 0, at = (y + 1) * stride + 1; x < width; x += 1, at += 1, cell += 1) {
      const share = Math.min(1, Math.max(0, (depth[at] as number) / solidDepth - 1));
      if (share === 0) continue;
      const value = values[cell] as number;
      values[cell] = value + (1 - value) * share;
    }
}
