/** Samples as files store them: 0..255, or 0..65535. */
export type IntegerSamples = Uint8Array | Uint16Array;
/** Samples that can be computed with: those of files, or 0..1 in Float32. */
export type Samples = IntegerSamples | Float32Array;

/** Grey, grey and alpha, RGB, RGBA. */
export type Channels = 1 | 2 | 3 | 4;

/** A picture in memory, in raster order, with interleaved channels. */
export type Raster<T extends Samples = IntegerSamples> = {
  data: T;
  /** px */
  width: number;
  height: number;
  /** With 2 and 4 channels the last one is alpha, not premultiplied. */
  channels: Channels;
  /** An ICC profile for grey or for RGB, as the channels are. */
  profile?: Uint8Array | undefined;
};

export const hasAlpha = (channels: Channels): boolean => channels === 2 || channels === 4;

/** The value of white and of full opacity. */
export function fullScale(samples: Samples): number {
  if (samples instanceof Float32Array) return 1;
  return samples instanceof Uint16Array ? 65_535 : 255;
}

/** A raster without its samples. */
export type RasterShape = Omit<Raster, "data"> & { depth: 8 | 16 };

export const shapeOf = ({ data, ...shape }: Raster): RasterShape => ({ ...shape, depth: depthOf(data) });

/** Bits per sample. */
export const depthOf = (samples: IntegerSamples): 8 | 16 => (samples instanceof Uint16Array ? 16 : 8);

/** Zeros in samples of the same type. */
export function allocateLike<T extends Samples>(samples: T, length: number): T {
  const made =
    samples instanceof Float32Array
      ? new Float32Array(length)
      : samples instanceof Uint16Array
        ? new Uint16Array(length)
        : new Uint8Array(length);
  return made as Samples as T; // each branch creates its own type
}

/** A zeroed raster of another size, in samples of the same type. */
export function resized<T extends Samples>(raster: Raster<T>, { width, height }: Size) {
  return { ...raster, width, height, data: allocateLike(raster.data, width * height * raster.channels) };
}

/** A byte view of the same memory. */
export const bytesOf = ({ buffer, byteOffset, byteLength }: IntegerSamples): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** Little-endian bytes as 16-bit samples. Copies them if they start at an odd address. */
export function asWords(bytes: Uint8Array): Uint16Array {
  const { buffer, byteOffset, length } = byteOffsetIsEven(bytes) ? bytes : new Uint8Array(bytes);
  return new Uint16Array(buffer, byteOffset, length / 2);
}

const byteOffsetIsEven = ({ byteOffset }: Uint8Array) => byteOffset % 2 === 0;

/** The size of a picture or of planes, px. */
export type Size = { width: number; height: number };

/** Part of a picture or canvas, px. Empty if its width or height is 0. */
export type Rectangle = Size & { left: number; top: number };
