import { bytesOf, type Channels, fullScale, type Raster, type Samples } from "./raster.ts";

/** A picture read row by row from the top, from memory or from disk. */
export type RowReader<T extends Samples = Samples> = {
  /** px */
  width: number;
  height: number;
  channels: Channels;
  /** The value of white: 255 for Uint8Array, 65535 for Uint16Array, 1 for Float32Array. */
  full: number;
  /** `width * channels` samples; the next call may overwrite them. Callers read rows in ascending order. */
  readRow(y: number): T;
};

/** Receives a picture row by row from the top. */
export type RowWriter = {
  /** Samples of the picture, rounded and clamped where they are not yet. `row` may be reused afterwards. */
  writeRow(row: Float32Array | Uint8Array, y: number): void;
};

export function rowsOf<T extends Samples>({ data, width, height, channels }: Raster<T>): RowReader<T> {
  const length = width * channels;
  // Node's Buffer is a Uint8Array, but its own subarray takes a microsecond, as long as the kernel takes to load the row.
  const samples: Samples = data instanceof Uint8Array ? bytesOf(data) : data;
  const readRow = (y: number) => samples.subarray(y * length, (y + 1) * length) as T; // of the same type
  return { width, height, channels, full: fullScale(data), readRow };
}

export function writeInto({ data, width, channels }: Raster<Samples>): RowWriter {
  return { writeRow: (row, y) => storeRow(row, data, y * width * channels) };
}

/** A zeroed picture in the source's type of samples. */
export function emptyRaster({ channels, full }: RowReader, { width, height }: { width: number; height: number }) {
  const length = width * height * channels;
  const data = full === 1 ? new Float32Array(length) : full === 255 ? new Uint8Array(length) : new Uint16Array(length);
  return { data, width, height, channels } satisfies Raster<Samples>;
}

/** Stores a row at `offset`; rounded and clamped for integers, unchanged for Float32. */
export function storeRow(row: Float32Array | Uint8Array, to: Samples, offset: number): void {
  if (to instanceof Float32Array || row instanceof Uint8Array) {
    to.set(row, offset);
    return;
  }
  const full = fullScale(to);
  const length = row.length;
  for (let i = 0; i < length; i++) {
    const value = (row[i] as number) + 0.5;
    to[offset + i] = value < 0 ? 0 : value > full ? full : value;
  }
}
