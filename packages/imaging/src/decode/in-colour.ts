import type { Sharp } from "sharp";
import type { ReadOptions, Source } from "./source.ts";

/**
 * Makes a pipeline give the colours that `ReadOptions` promises.
 *
 * sharp's defaults lose what we keep: grey becomes three channels, 16 bits become 8, and a 16 bit picture's profile
 * leaves the pixels in Display P3 without saying so. Its `withIccProfile` takes 16 bit pixels without a profile for
 * Display P3, so that it is asked only where there is one.
 */
export function inColour(
  image: Sharp,
  { isGrey, hasProfile, depth }: Pick<Source, "isGrey" | "hasProfile" | "depth">,
  wanted: ReadOptions["colour"] = "own",
): Sharp {
  if (wanted === "srgb") return hasProfile ? image.withIccProfile("srgb", { attach: false }) : image;
  const kept = hasProfile ? image.keepIccProfile() : image;
  if (depth === 16) return kept.toColourspace(isGrey ? "grey16" : "rgb16");
  return isGrey ? kept.toColourspace("b-w") : kept;
}
