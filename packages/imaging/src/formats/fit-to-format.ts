import { formats, type OutputFormat } from "@tintype/contract";
import type { Sharp } from "sharp";
import type { Source } from "./open-source.ts";

/**
 * The source's pixels as the target format can store them, with all frames if it can move, and a sentence for each
 * loss: transparency becomes white or the colour of `background`, other colour spaces become sRGB, 16 bits become 8.
 */
export function fitToFormat(
  source: Source,
  target: OutputFormat,
  background = "transparent",
): { image: Sharp; notes: string[] } {
  const { holds, label } = formats[target];
  const isColour = background !== "transparent";
  const isFlattened = source.hasAlpha && (!holds.alpha || isColour);
  // A curve far from a screen's, as PNG's chunks may describe, mixes with white to other colours than a browser shows.
  const mixesInSrgb = isFlattened && source.colourChunks !== undefined;
  const isSrgb = !holds.profile || mixesInSrgb || (source.isGrey && source.hasProfile && !storesGrey(target));
  const image = source.read({ frames: holds.animation ? "all" : "first", colour: isSrgb ? "srgb" : "own" });
  const notes = [
    ...(source.isAnimated && !holds.animation
      ? [`Only the first of ${source.pages} frames is kept: ${label} does not move.`]
      : []),
    ...(source.hasAlpha && !holds.alpha && !isColour
      ? [`Transparent areas are now white: ${label} has no transparency.`]
      : []),
    ...colourLosses(source, target),
  ];
  if (!isFlattened) return { image, notes };
  return { image: image.flatten({ background: isColour ? background : "#ffffff" }), notes };
}

/** What a format cannot store of a picture's colours, a sentence each. */
export function colourLosses({ hasProfile, depth }: Pick<Source, "hasProfile" | "depth">, target: OutputFormat) {
  const { holds, label } = formats[target];
  return [
    ...(hasProfile && !holds.profile ? [`Colours are converted to sRGB: ${label} holds no colour profile.`] : []),
    ...(depth === 16 && !holds.depth16
      ? [`Colours are reduced to 8 bits a channel: Tintype writes ${label} with 8.`]
      : []),
  ];
}

/** WebP and AVIF are written as colour always, to which a profile for grey does not apply. */
const storesGrey = (target: OutputFormat) => target !== "webp" && target !== "avif";
