/** Linear light of an sRGB value, both 0..1. Source: IEC 61966-2-1, with the threshold of its amendment 1. */
export const toLight = (signal: number): number =>
  signal <= 0.04045 ? signal / 12.92 : ((signal + 0.055) / 1.055) ** 2.4;

/** The inverse of `toLight`. */
export const fromLight = (light: number): number =>
  light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055;
