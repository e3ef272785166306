import type { createMemoryLayout } from "../../kernels/memory.ts";
import type { Raster } from "../../raster/raster.ts";
import { startPlanes } from "./kernel.ts";

/** Sample rows of a strip: two rows of luma blocks, or one row of MCUs in 4:2:0. */
export const stripRows = 16;
/** Bytes of a plane's row: f32 samples, padded to a multiple of 16 samples. */
const rowBytes = (width: number) => Math.ceil(width / 16) * 64;

/**
 * Addresses of a strip's planes. `restored`: decoded Cb and Cr of the strip and its two neighbours, a ring of three.
 */
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

type PlaneOptions = {
  picture: Raster<Uint8Array>;
  isHalved: boolean;
  memory: WebAssembly.Memory;
  layout: ReturnType<typeof planesRoom>;
};

/**
 * Converts pixels to Y'CbCr planes (ITU-T T.871) strip by strip. Chroma comes first: luma then compensates for the
 * lightness error of the decoded chroma.
 */
export function createPlanes({ picture: { width, height, channels, data }, isHalved, memory, layout }: PlaneOptions) {
  const kernel = startPlanes(memory);
  const bytes = new Uint8Array(memory.buffer);
  const { stride, pixels } = layout;
  const scale = isHalved ? 2 : 1;
  const colour = { width: Math.ceil(width / scale), height: Math.ceil(height / scale), rows: stripRows / scale };

  /** Loads a row of pixels; rows below the picture replicate the last one. @returns the address after the row */
  function loadPixels(y: number): number {
    const row = Math.min(y, height - 1) * width * channels;
    bytes.set(data.subarray(row, row + width * channels), pixels);
    return pixels + width * channels;
  }

  /** The address of a decoded chroma row. Edge rows are replicated, as decoders do when they upsample. */
  function restoredRow(plane: 0 | 1, y: number): number {
    const row = Math.max(0, Math.min(colour.height - 1, y));
    const strip = Math.floor(row / colour.rows);
    return (layout.restored[plane][strip % 3] as number) + (row % colour.rows) * stride;
  }

  /** The address of a row of decoded chroma, upsampled in 4:2:0 as libjpeg does ("fancy" upsampling). */
  function upsampledRow(plane: 0 | 1, y: number): number {
    if (!isHalved) return restoredRow(plane, y);
    const near = restoredRow(plane, y >> 1);
    const far = restoredRow(plane, (y >> 1) + (y % 2 === 0 ? -1 : 1));
    kernel.upsampleRow(near, far, near + colour.width * 4, layout.upsampled[plane]);
    return layout.upsampled[plane];
  }

  return {
    colour,
    /** Writes Cb to `first` and Cr to `second`. */
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
    /** Writes luma, or grey, to `first`. `restored` must hold the chroma of this strip and of the next one. */
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

/** Added to each variance, so that noise far below it does not affect the activity. */
const varianceFloor = 4;
