import type { Sharp } from "sharp";

/**
 * - "own": grey stays grey, 16 bits stay 16, and a colour profile stays attached to unconverted pixels. CMYK and Lab
 * become sRGB, because no output format stores them.
 * - "srgb": three channels of 8 bits in sRGB, and alpha if the picture has it, without a profile.
 */
export type ColourSpace = "own" | "srgb";

type SourceColours = { isGrey: boolean; hasProfile: boolean; depth: 8 | 16 };

/**
 * Makes a pipeline return the colours that `ColourSpace` specifies.
 *
 * sharp's defaults lose colours: grey becomes three channels, 16 bits become 8, and the pixels of a 16-bit picture stay
 * in Display P3 while the profile is dropped. Its `withIccProfile` assumes Display P3 for 16-bit pixels without a
 * profile; `inColour` calls it only for pixels with a profile.
 */
export function inColour(
  image: Sharp,
  { isGrey, hasProfile, depth }: SourceColours,
  wanted: ColourSpace = "own",
): Sharp {
  if (wanted === "srgb") return hasProfile ? image.withIccProfile("srgb", { attach: false }) : image;
  const kept = hasProfile ? image.keepIccProfile() : image;
  if (depth === 16) return kept.toColourspace(isGrey ? "grey16" : "rgb16");
  return isGrey ? kept.toColourspace("b-w") : kept;
}
