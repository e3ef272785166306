/**
 * The space for comparing colours: brightness and two colour differences (ITU-T T.871), the differences at
 * `colourWeight`, all multiplied by alpha, and alpha itself. Distances in it are squared and summed. It is linear in
 * the bytes of a colour: means of places are means of colours.
 */
export type Place = [light: number, blue: number, red: number, alpha: number];

/** The eye, and SSIMULACRA 2, forgive errors of colour more than errors of brightness. */
const colourWeight = 0.7;

/** The place of a colour, 0..255 a channel, alpha not premultiplied; written into `out` at `at`. */
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

/** The colour whose place it is, as bytes. */
export function toColour([light, blue, red, alpha]: Place): [number, number, number, number] {
  if (alpha < 0.5) return [0, 0, 0, 0];
  const share = alpha / 255;
  const y = light / share;
  const r = y + red / share / (0.713 * colourWeight);
  const b = y + blue / share / (0.564 * colourWeight);
  const g = (y - 0.299 * r - 0.114 * b) / 0.587;
  const byte = (value: number) => Math.max(0, Math.min(255, Math.round(value)));
  return [byte(r), byte(g), byte(b), byte(alpha)];
}
