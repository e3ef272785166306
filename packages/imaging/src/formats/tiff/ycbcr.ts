import { fullScale, type IntegerSamples } from "@tintype/codecs/raster";
import { DomainError } from "@tintype/contract";
import type { TiffPicture } from "./layout.ts";

const tags = { coefficients: 529, subsampling: 530, referenceBlackWhite: 532 } as const;

/** YCbCrSubSampling (TIFF 6.0, 21), by default 2 x 2. @throws broken-image for factors other than 1, 2 and 4 */
export function subsamplingOf({ numbers, compression }: Pick<TiffPicture, "numbers" | "compression">) {
  const [across = 2, down = across] = numbers(tags.subsampling);
  if (compression === jpeg) return { across: 1, down: 1 }; // the JPEG decoder upsamples
  if (![1, 2, 4].includes(across) || ![1, 2, 4].includes(down))
    throw new DomainError("broken-image", { cause: `TIFF: chroma of ${across} x ${down} pixels` });
  return { across, down };
}

const jpeg = 7;

/** ITU-R BT.601, the default. */
const bt601 = [0.299, 0.587, 0.114] as const;

/** Shares of luma sum to 1. Some files have 1/0, or zeros. */
const isLuma = (values: readonly number[]): values is readonly [number, number, number] =>
  values.length === 3 &&
  values.every((value) => value > 0) &&
  Math.abs(values.reduce((sum, value) => sum + value, 0) - 1) < 0.01;

/** Each of three components has a black or neutral level, and a higher one that is its full. */
const hasRange = (levels: readonly number[]): boolean =>
  levels.length === 6 &&
  [0, 2, 4].every((i) => (levels[i + 1] ?? 0) - (levels[i] ?? 0) > 0 && Number.isFinite(levels[i]));

/** Converts YCbCr to RGB in place, with YCbCrCoefficients and ReferenceBlackWhite (TIFF 6.0, 20 and 21). */
export function convertYCbCr(
  data: IntegerSamples,
  { channels, numbers }: { channels: number; numbers: TiffPicture["numbers"] },
): void {
  const full = fullScale(data);
  const given = numbers(tags.coefficients);
  const [red, green, blue] = isLuma(given) ? given : bt601;
  const levels = numbers(tags.referenceBlackWhite);
  // ReferenceBlackWhite is read on the 8-bit scale. Without the tag, Y, Cb and Cr have full range.
  const [blackY = 0, whiteY = 255, blackCb = 128, whiteCb = 255, blackCr = 128, whiteCr = 255] = hasRange(levels)
    ? levels
    : [];
  const unit = full / 255;
  const scaleY = 255 / (whiteY - blackY);
  const [scaleCb, scaleCr] = [127 / (whiteCb - blackCb), 127 / (whiteCr - blackCr)];
  const clamp = (value: number) => Math.max(0, Math.min(full, Math.round(value)));
  for (let i = 0; i + 2 < data.length; i += channels) {
    const y = ((data[i] ?? 0) - blackY * unit) * scaleY;
    const cb = ((data[i + 1] ?? 0) - blackCb * unit) * scaleCb;
    const cr = ((data[i + 2] ?? 0) - blackCr * unit) * scaleCr;
    const r = y + cr * (2 - 2 * red);
    const b = y + cb * (2 - 2 * blue);
    data[i] = clamp(r);
    data[i + 1] = clamp((y - red * r - blue * b) / green);
    data[i + 2] = clamp(b);
  }
}
