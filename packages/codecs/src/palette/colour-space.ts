/**
 * The space in which colours are compared: luma and chroma (ITU-T T.871), chroma weighted by `colourWeight`, all
 * premultiplied by alpha, and alpha itself. The distance is the sum of squared differences. It is linear in the
 * premultiplied bytes: a mean of places is a mean of colours.
 */
export type ColourPoint = [light: number, blue: number, red: number, alpha: number];

/** Viewers, and SSIMULACRA 2, are less sensitive to errors of chroma than of luma. */
export const colourWeight = 0.7;

/** Writes the place of a colour, 0..255 per channel with unassociated alpha, into `out` at `at`. */
export function toPlace(
  out: Float32Array,
  at: number,
  { red, green, blue, alpha }: { red: number; green: number; blue: number; alpha: number },
): void {
  const share = alpha / 255;
  const light = 0.299 * red + 0.587 * green + 0.114 * blue;
  out[at] = light * share;
  out[at + 1] = (blue - light) * 0.564 * colourWeight * share;
  out[at + 2] = (red - light) * 0.713 * colourWeight * share;
  out[at + 3] = alpha;
}

/** The colour at a place, as bytes. */
export function toColour([light, blue, red, alpha]: ColourPoint): [number, number, number, number] {
  if (alpha < 0.5) return [0, 0, 0, 0];
  const share = alpha / 255;
  const y = light / share;
  const r = y + red / share / (0.713 * colourWeight);
  const b = y + blue / share / (0.564 * colourWeight);
  const g = (y - 0.299 * r - 0.114 * b) / 0.587;
  const byte = (value: number) => Math.max(0, Math.min(255, Math.round(value)));
  return [byte(r), byte(g), byte(b), byte(alpha)];
}
