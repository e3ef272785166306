/** Connected parts of a grid's cells (four neighbours). Label 0 is no part; parts are numbered from 1. */
export type Components = {
  labels: Int32Array;
  /** Cells of each part, by label; the first entry belongs to no part. */
  sizes: number[];
  /** Whether a part reaches the grid's border, by label. */
  touchesBorder: boolean[];
};

/** Labels the cells for which `isIn` holds. */
export function findComponents({ width, height }: { width: number; height: number }, isIn: (cell: number) => boolean) {
  const open = new Uint8Array(width * height);
  for (let cell = 0; cell < open.length; cell += 1) open[cell] = isIn(cell) ? 1 : 0;
  const found: Components = { labels: new Int32Array(open.length), sizes: [0], touchesBorder: [false] };
  const stack = new Int32Array(open.length); // each cell is put on it once
  for (let start = 0; start < open.length; start += 1)
    if (open[start] === 1) labelPart(found, { open, stack, start, width });
  return found;
}

type Part = { open: Uint8Array; stack: Int32Array; start: number; width: number };

/** Takes the part that a cell belongs to out of what is open. */
function labelPart({ labels, sizes, touchesBorder }: Components, { open, stack, start, width }: Part): void {
  const label = sizes.length;
  const lastRow = open.length - width;
  let top = 1;
  let count = 0;
  let touches = false;
  stack[0] = start;
  open[start] = 0;
  while (top > 0) {
    top -= 1;
    const cell = stack[top] as number;
    labels[cell] = label;
    count += 1;
    const x = cell % width;
    if (x === 0 || x === width - 1 || cell < width || cell >= lastRow) touches = true;
    // Beyond the first and the last row there is nothing, and nothing is not open.
    for (let side = 0; side < 4; side += 1) {
      const next = side === 0 ? cell - width : side === 1 ? cell + width : side === 2 ? cell - 1 : cell + 1;
      if ((side === 2 && x === 0) || (side === 3 && x === width - 1) || open[next] !== 1) continue;
      open[next] = 0;
      stack[top] = next;
      top += 1;
    }
  }
  sizes.push(count);
  touchesBorder.push(touches);
}
