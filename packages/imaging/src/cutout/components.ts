/** Connected components of a grid (4-connectivity). Label 0 is the background; components are numbered from 1. */
export type Components = {
  labels: Int32Array;
  /** Cells of each component, by label; entry 0 is unused. */
  sizes: number[];
  /** Whether a component touches the grid's border, by label. */
  touchesBorder: boolean[];
};

/** Labels the cells that are not 0, run by run: a matte has a thousand times fewer runs than cells. */
export function findComponents(cells: Uint8Array, { width }: { width: number }): Components {
  const runs = findRuns(cells, width);
  const found: Components = { labels: new Int32Array(cells.length), sizes: [0], touchesBorder: [false] };
  const labelOf = new Int32Array(runs.parent.length);
  for (let run = 0; run < labelOf.length; run += 1) {
    const first = firstOf(runs, run);
    if (first === run) labelOf[run] = found.sizes.push(0) - 1;
    const label = labelOf[first] as number;
    labelOf[run] = label;
    const [start, end] = [runs.starts[run] as number, runs.ends[run] as number];
    found.labels.fill(label, start, end);
    found.sizes[label] = (found.sizes[label] ?? 0) + end - start;
    const isAtSide = start % width === 0 || end % width === 0;
    found.touchesBorder[label] ||= isAtSide || start < width || start >= cells.length - width;
  }
  return found;
}

/**
 * Adjacent cells, from `starts` up to `ends`. A union-find forest: each run is connected to its parent, whose index is
 * never greater.
 */
type Runs = { starts: number[]; ends: number[]; parent: number[] };

function findRuns(cells: Uint8Array, width: number): Runs {
  const runs: Runs = { starts: [], ends: [], parent: [] };
  let above = 0;
  for (let row = 0; row < cells.length; row += width) {
    const first = runs.starts.length;
    for (let cell = row; cell < row + width; cell += 1) {
      if (cells[cell] === 0) continue;
      const start = cell;
      while (cell < row + width && cells[cell] !== 0) cell += 1;
      const run = runs.starts.push(start) - 1;
      runs.ends.push(cell);
      runs.parent.push(run);
      while (above < first && (runs.ends[above] as number) + width <= start) above += 1;
      for (let other = above; other < first && (runs.starts[other] as number) + width < cell; other += 1)
        join(runs, run, other);
    }
    above = first;
  }
  return runs;
}

function join(runs: Runs, a: number, b: number): void {
  const [one, other] = [firstOf(runs, a), firstOf(runs, b)];
  runs.parent[Math.max(one, other)] = Math.min(one, other);
}

/** The root of a run's component, with path compression. */
function firstOf({ parent }: Runs, run: number): number {
  let first = run;
  while (parent[first] !== first) first = parent[first] as number;
  for (let at = run; at !== first; ) {
    const next = parent[at] as number;
    parent[at] = first;
    at = next;
  }
  return first;
}
