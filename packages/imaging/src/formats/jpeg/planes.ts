import type { createMemoryLayout } from "../../kernels/memory-layout.ts";
import type { Raster } from "../../raster/raster.ts";
import { startPlanes } from "./kernel.ts";

/** Rows of a strip: two rows of blocks, or one of subsampled chroma. */
export const stripRows = 16;
/** A plane's row takes a multiple of 16 samples. */
const rowBytes = (width: number) => Math.ceil(width / 16) * 64;

/** Addresses of a strip's planes, and of Cb and Cr as a decoder restores them in it and its neighbours. */
export function planesRoom(layout: ReturnType<typeof createMemoryLayout>, { width, channels }: Raster) {
  const stride = rowBytes(width);
  const strip = () => layout.take(stripRows * stride);
  return {
    stride,
    pixels: layout.take(width * channels),
    first: strip(),
    second: strip(),
    upsampled: [layout.take(stride), layout.take(stride)] as const,
    restored: [
      [strip(), strip(), strip()],
      [strip(), strip(), strip()],
    ] as const,
  };
}

type Making = {
  picture: Raster<Uint8Array>;
  isHalved: boolean;
  memory: WebAssembly.Memory;
  layout: ReturnType<typeof planesRoom>;
};

/** Fills planes strip by strip. Chroma comes first, because luma compensates for what chroma loses. */
export function createPlanes({ picture: { width, height, channels, data }, isHalved, memory, layout }: Making) {
  const kernel = startPlanes(memory);
  const bytes = new Uint8Array(memory.buffer);
  const { stride, pixels } = layout;
  const scale = isHalved ? 2 : 1;
  const colour = { width: Math.ceil(width / scale), height: Math.ceil(height / scale), rows: stripRows / scale };

  /** Rows below the picture repeat its last one. */
  function loadPixels(y: number): number {
    const row = Math.min(y, height - 1) * width * channels;
    bytes.set(data.subarray(row, row + width * channels), pixels);
    return pixels + width * channels;
  }

  /** The address of a row of `restored`. Decoders repeat the first and the last row. */
  function restoredRow(plane: 0 | 1, y: number): number {
    const row = Math.max(0, Math.min(colour.height - 1, y));
    const strip = Math.floor(row / colour.rows);
    return (layout.restored[plane][strip % 3] as number) + (row % colour.rows) * stride;
  }

  /** The address of a row of chroma as a decoder upsamples it. */
  function upsampledRow(plane: 0 | 1, y: number): number {
    if (!isHalved) return restoredRow(plane, y);
    const near = restoredRow(plane, y >> 1);
    const far = restoredRow(plane, (y >> 1) + (y % 2 === 0 ? -1 : 1));
    kernel.upsampleRow(near, far, near + colour.width * 4, layout.upsampled[plane]);
    return layout.upsampled[plane];
  }

  return {
    colour,
    /** Cb to `first`, Cr to `second`. */
    fillColours(strip: number) {
      for (let row = 0; row < stripRows; row++) {
        const end = loadPixels(strip * stripRows + row);
        const planes = [layout.first + row * stride, layout.second + row * stride] as const;
        kernel.splitColours(pixels, end, ...planes);
        for (const plane of planes) kernel.extendRow(plane + width * 4, plane + stride);
      }
      if (!isHalved) return;
      for (const plane of [layout.first, layout.second])
        for (let row = 0; row < colour.rows; row++) {
          const upper = plane + 2 * row * stride;
          kernel.downsampleRows(upper, upper + stride, upper + stride, plane + row * stride);
        }
    },
    /** Luma, or grey, to `first`. `restored` must hold chroma of this strip and the next. */
    fillLuma(strip: number) {
      for (let row = 0; row < stripRows; row++) {
        const y = Math.min(height - 1, strip * stripRows + row);
        const end = loadPixels(y);
        const to = layout.first + row * stride;
        if (channels < 3) kernel.splitGrey(pixels, end, to);
        else kernel.splitLuma(pixels, end, upsampledRow(0, y), upsampledRow(1, y), to);
        kernel.extendRow(to + width * 4, to + stride);
      }
    },
    measureActivity: (plane: number, blocks: number, to: number) =>
      kernel.measureActivity(plane, stride, plane + blocks * 32, varianceFloor, to),
  };
}

/** Added to variances: differences far below this have no effect. */
const varianceFloor = 4;
