import type { Size } from "@tintype/codecs/raster";

/**
 * Box filter over squares of `2 * radius + 1` px. At the borders only the part of the square inside the picture counts.
 * @param scratch as long as the plane; it and `target` may be reused from call to call
 */
export function boxMean(
  plane: Float32Array,
  { size, radius, scratch, target }: { size: Size; radius: number; scratch: Float32Array; target: Float32Array },
): void {
  meanOfRows(plane, scratch, { size, radius });
  meanOfColumns(scratch, target, { size, radius });
}

function meanOfRows(plane: Float32Array, target: Float32Array, { size, radius }: { size: Size; radius: number }) {
  const { width, height } = size;
  for (let y = 0; y < height; y += 1) {
    const row = y * width;
    let sum = 0;
    const reach = Math.min(radius, width - 1);
    for (let x = 0; x < reach; x += 1) sum += plane[row + x] as number;
    for (let x = 0; x < width; x += 1) {
      const entering = x + radius;
      const leaving = x - radius - 1;
      if (entering < width) sum += plane[row + entering] as number;
      if (leaving >= 0) sum -= plane[row + leaving] as number;
      target[row + x] = sum / (Math.min(entering, width - 1) - Math.max(leaving, -1));
    }
  }
}

/** Row by row, with one running sum per column, so that memory is read sequentially. */
function meanOfColumns(plane: Float32Array, target: Float32Array, { size, radius }: { size: Size; radius: number }) {
  const { width, height } = size;
  const sums = new Float64Array(width);
  for (let y = 0; y < Math.min(radius, height - 1); y += 1)
    for (let x = 0, at = y * width; x < width; x += 1, at += 1) sums[x] = (sums[x] as number) + (plane[at] as number);
  for (let y = 0; y < height; y += 1) {
    const entering = y + radius;
    const leaving = y - radius - 1;
    const factor = 1 / (Math.min(entering, height - 1) - Math.max(leaving, -1));
    const row = y * width;
    const enter = entering < height ? entering * width : -1;
    const leave = leaving >= 0 ? leaving * width : -1;
    for (let x = 0; x < width; x += 1) {
      let sum = sums[x] as number;
      if (enter >= 0) sum += plane[enter + x] as number;
      if (leave >= 0) sum -= plane[leave + x] as number;
      sums[x] = sum;
      target[row + x] = sum * factor;
    }
  }
}
