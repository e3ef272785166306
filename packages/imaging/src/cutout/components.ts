/** Connected parts of a grid's cells (four neighbours). Label 0 is no part; parts are numbered from 1. */
export type Components = {
  labels: Int32Array;
  /** Cells of each part, by label; the first entry belongs to no part. */
  sizes: number[];
  /** Whether a part reaches the grid's border, by label. */
  touchesBorder: boolean[];
};

/** Labels the cells for which `isIn` holds. */
export function findComponents(size: { width: number; height: number }, isIn: (cell: number) => boolean): Components {
  const { width, height } = size;
  const length = width * height;
  const labels = new Int32Array(length);
  const found: Components = { labels, sizes: [0], touchesBorder: [false] };
  const isOpen = new Uint8Array(length);
  for (let cell = 0; cell < length; cell += 1) isOpen[cell] = isIn(cell) ? 1 : 0;
  const stack = new Int32Array(length); // each cell is put on it once
  for (let start = 0; start < length; start += 1) {
    if (isOpen[start] === 0) continue;
    const label = found.sizes.length;
    let [top, count, touches] = [0, 0, false];
    const visit = (cell: number) => {
      if (isOpen[cell] === 0) return;
      isOpen[cell] = 0;
      labels[cell] = label;
      stack[top] = cell;
      top += 1;
    };
    visit(start);
    while (top > 0) {
      top -= 1;
      const cell = stack[top] as number;
      count += 1;
      const x = cell % width;
      const isTop = cell < width;
      const isBottom = cell + width >= length;
      touches ||= x === 0 || x === width - 1 || isTop || isBottom;
      if (x > 0) visit(cell - 1);
      if (x < width - 1) visit(cell + 1);
      if (!isTop) visit(cell - width);
      if (!isBottom) visit(cell + width);
    }
    found.sizes.push(count);
    found.touchesBorder.push(touches);
  }
  return found;
}
