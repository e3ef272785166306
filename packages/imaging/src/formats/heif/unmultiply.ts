import { fullScale, type IntegerSamples } from "@tintype/codecs/raster";

/** Unpremultiplies samples in place. Alpha is the last channel. */
export function unmultiply(values: IntegerSamples, channels = 4): void {
  const full = fullScale(values);
  const last = channels - 1;
  for (let i = 0; i < values.length; i += channels) {
    const alpha = values[i + last] ?? 0;
    if (alpha === 0 || alpha === full) continue;
    for (let c = i; c < i + last; c++) values[c] = Math.min(full, Math.round(((values[c] ?? 0) * full) / alpha));
  }
}
