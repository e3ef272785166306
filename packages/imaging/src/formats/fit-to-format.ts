import { formats, type OutputFormat } from "@tintype/contract";
import type { Sharp } from "sharp";
import { alphaLosses } from "./alpha-losses.ts";
import type { Source } from "./open-source.ts";

/**
 * Converts the source to what the target format can store, with all frames if it supports animation. Transparency is
 * flattened onto white or `background`, and colours without room for their profile are converted to sRGB. `notes`: a
 * sentence for each loss.
 */
export async function fitToFormat(
  source: Source,
  target: OutputFormat,
  background = "transparent",
): Promise<{ image: Sharp; notes: string[] }> {
  const { holds, label } = formats[target];
  const notes = [
    ...(source.isAnimated && !holds.animation
      ? [`Only the first of ${source.pages} frames is kept: ${label} does not move.`]
      : []),
    ...(background === "transparent" ? await alphaLosses(source, target) : []),
    ...colourLosses(source, target),
  ];
  return { image: readForFormat(source, target, background), notes };
}

/** The pipeline of `fitToFormat`. */
export function readForFormat(source: Source, target: OutputFormat, background = "transparent"): Sharp {
  const { holds } = formats[target];
  const isColour = background !== "transparent";
  const isFlattened = source.hasAlpha && (!holds.alpha || isColour);
  // Browsers composite in sRGB: with the transfer function of PNG colour space chunks, blending gives other colours.
  const mixesInSrgb = isFlattened && source.colourChunks !== undefined;
  const isSrgb = !holds.profile || mixesInSrgb || (source.isGrey && source.hasProfile && !storesGrey(target));
  const image = source.read({ frames: holds.animation ? "all" : "first", colour: isSrgb ? "srgb" : "own" });
  return isFlattened ? image.flatten({ background: isColour ? background : "#ffffff" }) : image;
}

/** The colour losses by the format, a sentence each. */
export function colourLosses({ hasProfile, depth }: Pick<Source, "hasProfile" | "depth">, target: OutputFormat) {
  const { holds, label } = formats[target];
  return [
    ...(hasProfile && !holds.profile ? [`Colours are converted to sRGB: ${label} holds no colour profile.`] : []),
    ...(depth === 16 && !holds.depth16
      ? [`Colours are reduced to 8 bits a channel: Tintype writes ${label} with 8.`]
      : []),
  ];
}

/** WebP and AVIF are always written as RGB, to which a grey ICC profile does not apply. */
const storesGrey = (target: OutputFormat) => target !== "webp" && target !== "avif";
