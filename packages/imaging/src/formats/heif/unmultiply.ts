import { fullScale, type IntegerSamples } from "../../raster/raster.ts";

/** Unpremultiplies RGBA samples in place. */
export function unmultiply(values: IntegerSamples): void {
  const full = fullScale(values);
  for (let i = 0; i < values.length; i += 4) {
    const alpha = values[i + 3] ?? 0;
    if (alpha === 0 || alpha === full) continue;
    for (let c = i; c < i + 3; c++) values[c] = Math.min(full, Math.round(((values[c] ?? 0) * full) / alpha));
  }
}
