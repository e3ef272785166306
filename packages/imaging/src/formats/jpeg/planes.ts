import type { createRoom } from "../../kernels/room.ts";
import type { Raster } from "../../raster/raster.ts";
import { startPlanes } from "./kernel.ts";

/** Rows that are worked on at once: two rows of blocks, or one of halved colour. */
export const stripRows = 16;
/** A plane's row takes a multiple of 16 samples. */
const rowBytes = (width: number) => Math.ceil(width / 16) * 64;

/** The places of a strip's planes, and the Cb and Cr that decoders will see in it and its neighbours. */
export function planesRoom(room: ReturnType<typeof createRoom>, { width, channels }: Raster) {
  const stride = rowBytes(width);
  const strip = () => room.take(stripRows * stride);
  return {
    stride,
    pixels: room.take(width * channels),
    first: strip(),
    second: strip(),
    raised: [room.take(stride), room.take(stride)] as const,
    seen: [
      [strip(), strip(), strip()],
      [strip(), strip(), strip()],
    ] as const,
  };
}

type Making = {
  picture: Raster<Uint8Array>;
  isHalved: boolean;
  memory: WebAssembly.Memory;
  room: ReturnType<typeof planesRoom>;
};

/** Fills planes strip by strip; colours come first, for luma makes up for what they lose. */
export function createPlanes({ picture: { width, height, channels, data }, isHalved, memory, room }: Making) {
  const kernel = startPlanes(memory);
  const bytes = new Uint8Array(memory.buffer);
  const { stride, pixels } = room;
  const scale = isHalved ? 2 : 1;
  const colour = { width: Math.ceil(width / scale), height: Math.ceil(height / scale), rows: stripRows / scale };

  /** Rows below the picture repeat its last one. */
  function loadPixels(y: number): number {
    const row = Math.min(y, height - 1) * width * channels;
    bytes.set(data.subarray(row, row + width * channels), pixels);
    return pixels + width * channels;
  }

  /** The address of a row of `seen`; decoders repeat the first and the last one. */
  function seenRow(plane: 0 | 1, y: number): number {
    const row = Math.max(0, Math.min(colour.height - 1, y));
    const strip = Math.floor(row / colour.rows);
    return (room.seen[plane][strip % 3] as number) + (row % colour.rows) * stride;
  }

  /** A row of a colour as a decoder shows it, at full size. */
  function shownRow(plane: 0 | 1, y: number): number {
    if (!isHalved) return seenRow(plane, y);
    const near = seenRow(plane, y >> 1);
    const far = seenRow(plane, (y >> 1) + (y % 2 === 0 ? -1 : 1));
    kernel.raiseRow(near, far, near + colour.width * 4, room.raised[plane]);
    return room.raised[plane];
  }

  return {
    colour,
    /** Cb to `first`, Cr to `second`. */
    fillColours(strip: number) {
      for (let row = 0; row < stripRows; row++) {
        const end = loadPixels(strip * stripRows + row);
        const planes = [room.first + row * stride, room.second + row * stride] as const;
        kernel.splitColours(pixels, end, ...planes);
        for (const plane of planes) kernel.extendRow(plane + width * 4, plane + stride);
      }
      if (!isHalved) return;
      for (const plane of [room.first, room.second])
        for (let row = 0; row < colour.rows; row++) {
          const upper = plane + 2 * row * stride;
          kernel.halveRows(upper, upper + stride, upper + stride, plane + row * stride);
        }
    },
    /** Luma, or grey, to `first`. Of colours, `seen` has this strip and the next. */
    fillLuma(strip: number) {
      for (let row = 0; row < stripRows; row++) {
        const y = Math.min(height - 1, strip * stripRows + row);
        const end = loadPixels(y);
        const to = room.first + row * stride;
        if (channels < 3) kernel.splitGrey(pixels, end, to);
        else kernel.splitLuma(pixels, end, shownRow(0, y), shownRow(1, y), to);
        kernel.extendRow(to + width * 4, to + stride);
      }
    },
    measureRow: (plane: number, blocks: number, to: number) =>
      kernel.measureRow(plane, stride, plane + blocks * 32, leastLively, to),
  };
}

/** Added to variances: what is quieter than this is equally quiet. */
const leastLively = 4;
