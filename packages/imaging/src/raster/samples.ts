/** Samples as files store them: 0..255, or 0..65535. */
export type IntegerSamples = Uint8Array | Uint16Array;
/** Samples that can be computed with: those of files, or 0..1 in Float32. */
export type Samples = IntegerSamples | Float32Array;

/** Raw pixels: rows from the top, pixels from the left, the channels of a pixel side by side. */
export type Raster<T extends Samples = Samples> = {
  data: T;
  /** px */
  width: number;
  height: number;
  channels: number;
  /** Whether the last channel is alpha, not premultiplied. Without it all channels are treated alike. */
  hasAlpha?: boolean;
};

/** The value of full light and full alpha. */
export function fullScale(samples: Samples): number {
  if (samples instanceof Float32Array) return 1;
  return samples instanceof Uint16Array ? 65_535 : 255;
}

/** Room for the raster at another size, in samples of the same kind; a Buffer stays one. */
export function resized<T extends Samples>(raster: Raster<T>, { width, height }: { width: number; height: number }) {
  return { ...raster, width, height, data: allocateLike(raster.data, width * height * raster.channels) };
}

function allocateLike<T extends Samples>(samples: T, length: number): T {
  const made = Buffer.isBuffer(samples)
    ? Buffer.alloc(length)
    : samples instanceof Uint8Array
      ? new Uint8Array(length)
      : samples instanceof Uint16Array
        ? new Uint16Array(length)
        : new Float32Array(length);
  return made as Samples as T; // each branch makes what it asked for
}

/** Colours times alpha, in place, so that the colour of what cannot be seen does not count. */
export function premultiply(row: Float32Array, { channels, full }: { channels: number; full: number }): void {
  for (let pixel = 0; pixel < row.length; pixel += channels) {
    const alpha = (row[pixel + channels - 1] as number) / full;
    for (let i = pixel; i < pixel + channels - 1; i++) row[i] = (row[i] as number) * alpha;
  }
}

/**
 * The way back. Alpha's overshoot is cut off only after the division: beside an edge colours overshoot by the same
 * share, and the quotient is free of it. Overshoot of the colours is cut by who stores them.
 */
export function unpremultiply(row: Float32Array, { channels, full }: { channels: number; full: number }): void {
  const seen = full === 1 ? 1e-5 : 0.5 / full;
  for (let pixel = 0; pixel < row.length; pixel += channels) {
    const alpha = (row[pixel + channels - 1] as number) / full;
    const share = alpha >= seen ? 1 / alpha : 0;
    for (let i = pixel; i < pixel + channels - 1; i++) row[i] = (row[i] as number) * share;
    row[pixel + channels - 1] = Math.min(Math.max(alpha, 0), 1) * full;
  }
}

/** Stores a row at `offset`; whole numbers are rounded and kept in range, Float32 is kept as it is. */
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
