type Colour = { r: number; g: number; b: number };

/** Loss by JPEG and noise, as a variance of 0..1. */
const noise = 1e-3;

/**
 * How much a pixel resembles the background in shade, 0..1: the same hue, and darker or equal. A shadow takes the same
 * share of each channel away. The deepest black has no hue and counts as no shadow.
 */
export function shadowShare({ r, g, b }: Colour, back: Colour & { variance: number }): number {
  const square = back.r * back.r + back.g * back.g + back.b * back.b;
  const light = (r * back.r + g * back.g + b * back.b) / (square + 1e-6);
  if (light < 0.15 || light > 1.03) return 0;
  const beside = (r - light * back.r) ** 2 + (g - light * back.g) ** 2 + (b - light * back.b) ** 2;
  return Math.exp(-beside / (4 * (back.variance / 3 + noise)));
}

/**
 * The certainty that a squared distance between colours is no chance, 0..1, given their variance over three channels.
 */
export const differs = (square: number, variance: number): number =>
  1 - Math.exp(-square / (2 * (variance / 3) + 10 * noise));
