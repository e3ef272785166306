import { type Components, findComponents } from "./components.ts";
import type { Matte } from "./matte.ts";
import type { Profile } from "./profiles.ts";

/**
 * Decides what belongs to the subject as a whole, by profile: islands that are none of it are dropped, holes that are
 * none are filled, and its inside is made opaque. The outline is left as it is.
 */
export function settleMatte(matte: Matte, profile: Profile): Matte {
  const values = matte.values.slice();
  dropIslands(values, matte, profile);
  fillHoles(values, matte, profile);
  makeSolid(values, matte, profile);
  return { ...matte, values };
}

const isSubject = 0.5;
/** Parts that hang together by this much are one: a spoke that the grid all but lost. */
const isLinked = 0.2;
/** What a network leaves of a background it is sure of. */
const isTrace = 0.05;

function dropIslands(values: Float32Array, size: Matte, { islandShare }: Profile): void {
  const above = (level: number) => findComponents(size, (cell) => (values[cell] as number) > level);
  const holding = (parts: Components, isKept: (cell: number) => boolean) => {
    const kept = parts.sizes.map(() => false);
    for (let cell = 0; cell < values.length; cell += 1) if (isKept(cell)) kept[parts.labels[cell] as number] = true;
    kept[0] = false;
    return (cell: number) => kept[parts.labels[cell] as number] === true;
  };
  const cores = above(isSubject);
  const largest = Math.max(...cores.sizes);
  const isLarge = cores.sizes.map((count) => count > 0 && count >= islandShare * largest);
  const linked = above(isLinked);
  const isInLinked = holding(linked, (cell) => isLarge[cores.labels[cell] as number] === true);
  const isInTraces = holding(above(isTrace), isInLinked);
  for (let cell = 0; cell < values.length; cell += 1) {
    const isKept = linked.labels[cell] === 0 ? isInTraces(cell) : isInLinked(cell);
    if (!isKept) values[cell] = 0;
  }
}

/** A hole is filled as opaque as what is around it: in a soft outline a patch would stand out. */
function fillHoles(values: Float32Array, size: Matte, { holes }: Profile): void {
  const { width } = size;
  const gaps = findComponents(size, (cell) => (values[cell] as number) <= isSubject);
  let subject = 0;
  const found = gaps.sizes.map(() => ({ least: 1, rim: 0, rimCells: 0 }));
  const seeRim = (label: number, neighbour: number) => {
    const hole = found[label];
    if (!hole || gaps.labels[neighbour] !== 0) return;
    hole.rim += values[neighbour] ?? 0;
    hole.rimCells += 1;
  };
  for (let cell = 0; cell < values.length; cell += 1) {
    const label = gaps.labels[cell] as number;
    const hole = found[label];
    if (label === 0 || !hole) {
      subject += 1;
      continue;
    }
    hole.least = Math.min(hole.least, values[cell] as number);
    if (gaps.touchesBorder[label]) continue;
    for (const next of [cell - 1, cell + 1, cell - width, cell + width]) seeRim(label, next);
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

/** Cells as deep in the subject as the profile says become opaque, those before it by degrees. */
function makeSolid(values: Float32Array, size: Matte, { solidDepth }: Profile): void {
  const depth = depthInside(values, size);
  for (let cell = 0; cell < values.length; cell += 1) {
    const share = Math.min(1, Math.max(0, (depth[cell] as number) / solidDepth - 1));
    const value = values[cell] as number;
    values[cell] = value + (1 - value) * share;
  }
}

/** Distance to the nearest cell that is not subject, cells, by the two sweeps of a 3-4 chamfer; the border is far. */
function depthInside(values: Float32Array, { width, height }: Matte): Float32Array {
  const depth = new Float32Array(values.length);
  const far = 1e6;
  for (let cell = 0; cell < depth.length; cell += 1) depth[cell] = (values[cell] as number) > isSubject ? far : 0;
  const at = (x: number, y: number): number =>
    x < 0 || y < 0 || x >= width || y >= height ? far : (depth[y * width + x] as number);
  const [straight, diagonal] = [1, 4 / 3];
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const near = Math.min(
        at(x - 1, y) + straight,
        at(x, y - 1) + straight,
        at(x - 1, y - 1) + diagonal,
        at(x + 1, y - 1) + diagonal,
      );
      if (near < at(x, y)) depth[y * width + x] = near;
    }
  for (let y = height - 1; y >= 0; y -= 1)
    for (let x = width - 1; x >= 0; x -= 1) {
      const near = Math.min(
        at(x + 1, y) + straight,
        at(x, y + 1) + straight,
        at(x + 1, y + 1) + diagonal,
        at(x - 1, y + 1) + diagonal,
      );
      if (near < at(x, y)) depth[y * width + x] = near;
    }
  return depth;
}
