/** Luma (ITU-R BT.601) of a packed colour, 0..255. */
export const lumaOf = (colour: number): number =>
  0.299 * (colour & 255) + 0.587 * ((colour >> 8) & 255) + 0.114 * ((colour >> 16) & 255);

/** Weight of squared chroma differences relative to luma: errors of chroma are less visible. */
const chromaWeight = 0.5;

/** Squared distance of two packed colours in Y'CbCr (ITU-R BT.601, full range), with weighted chroma. */
export function colourDistance(first: number, second: number): number {
  const red = (first & 255) - (second & 255);
  const green = ((first >> 8) & 255) - ((second >> 8) & 255);
  const blue = ((first >> 16) & 255) - ((second >> 16) & 255);
  const luma = 0.299 * red + 0.587 * green + 0.114 * blue;
  const blueness = 0.564 * (blue - luma);
  const redness = 0.713 * (red - luma);
  return luma * luma + chromaWeight * (blueness * blueness + redness * redness);
}

const chroma = Math.sqrt(chromaWeight);

/**
 * Writes to `into` at `at` the three coordinates of a packed colour (luma, weighted Cb and Cr) in which
 * `colourDistance` is the squared Euclidean distance.
 */
export function placeColour(colour: number, into: Float32Array | Float64Array, at: number): void {
  const red = colour & 255;
  const green = (colour >> 8) & 255;
  const blue = (colour >> 16) & 255;
  const luma = 0.299 * red + 0.587 * green + 0.114 * blue;
  into[at] = luma;
  into[at + 1] = chroma * 0.564 * (blue - luma);
  into[at + 2] = chroma * 0.713 * (red - luma);
}
