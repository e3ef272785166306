import type { Size } from "@tintype/codecs/raster";

/** A distance map padded by one cell on all sides: cell (x, y) is at `(y + 1) * stride + x + 1`. */
type Depth = { values: Float32Array; stride: number };

/**
 * The distance of each cell that is not 0 to the nearest 0, in cells: a 3-4 chamfer in two passes. Beyond the border
 * counts as far away.
 */
export function depthInside(cells: Uint8Array, { width, height }: Size): Depth {
  const far = 1e6;
  const stride = width + 2; // padded, so that every cell has all its neighbours
  const values = new Float32Array(stride * (height + 2)).fill(far);
  for (let y = 0, cell = 0; y < height; y += 1)
    for (let x = 0, at = (y + 1) * stride + 1; x < width; x += 1, at += 1, cell += 1)
      if (cells[cell] === 0) values[at] = 0;
      else takeNearer(values, at, { beside: at - 1, before: at - stride });
  for (let y = height; y > 0; y -= 1)
    for (let x = width, at = y * stride + width; x > 0; x -= 1, at -= 1)
      takeNearer(values, at, { beside: at + 1, before: at + stride });
  return { values, stride };
}

function takeNearer(depth: Float32Array, at: number, { beside, before }: { beside: number; before: number }): void {
  const diagonal = 4 / 3;
  const near = Math.min(
    (depth[beside] as number) + 1,
    (depth[before] as number) + 1,
    (depth[before - 1] as number) + diagonal,
    (depth[before + 1] as number) + diagonal,
  );
  if (near < (depth[at] as number)) depth[at] = near;
}
