import { fullScale, type Raster, type Samples, storeRow } from "./samples.ts";

/** A picture read row by row, from the top down: from memory or from disk. */
export type RowSource = {
  /** px */
  width: number;
  height: number;
  channels: number;
  /** Whether the last channel is alpha, not premultiplied. */
  hasAlpha: boolean;
  /** The value of full light: 255 of Uint8Array, 65535 of Uint16Array, 1 of Float32Array. */
  full: number;
  /** `width * channels` samples; they may change with the next call. Rows are asked for in rising order. */
  readRow(y: number): Samples;
};

/** Where a picture goes row by row, from the top down. */
export type RowSink = {
  /** Samples of the picture, rounded and cut to its range where they are not yet. `row` may change afterwards. */
  writeRow(row: Float32Array | Uint8Array, y: number): void;
};

export function rowsOf({ data, width, height, channels, hasAlpha = false }: Raster): RowSource {
  const length = width * channels;
  // A Buffer's own subarray takes a microsecond: as long as the rest of a row's way through the kernel's loader.
  const samples = Buffer.isBuffer(data) ? new Uint8Array(data.buffer, data.byteOffset, data.length) : data;
  const readRow = (y: number) => samples.subarray(y * length, (y + 1) * length);
  return { width, height, channels, hasAlpha, full: fullScale(data), readRow };
}

export function sinkInto({ data, width, channels }: Raster): RowSink {
  return { writeRow: (row, y) => storeRow(row, data, y * width * channels) };
}

/** Room for a result in the source's kind of samples. */
export function rasterFor(
  { channels, hasAlpha, full }: RowSource,
  { width, height }: { width: number; height: number },
) {
  const length = width * height * channels;
  const data = full === 1 ? new Float32Array(length) : full === 255 ? new Uint8Array(length) : new Uint16Array(length);
  return { data, width, height, channels, hasAlpha } satisfies Raster;
}
