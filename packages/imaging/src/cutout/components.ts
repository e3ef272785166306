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
  const labels = new Int32Array(width * height);
  const found: Components = { labels, sizes: [0], touchesBorder: [false] };
  const stack: number[] = [];
  for (let start = 0; start < labels.length; start += 1) {
    if (labels[start] !== 0 || !isIn(start)) continue;
    const label = found.sizes.length;
    let count = 0;
    let touches = false;
    const visit = (cell: number) => {
      if (labels[cell] !== 0 || !isIn(cell)) return;
      labels[cell] = label;
      stack.push(cell);
    };
    visit(start);
    for (let cell = stack.pop(); cell !== undefined; cell = stack.pop()) {
      count += 1;
      const x = cell % width;
      const isTop = cell < width;
      const isBottom = cell + width >= labels.length;
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
