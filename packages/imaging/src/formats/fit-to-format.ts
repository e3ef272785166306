import { formats, type Note, type OutputFormat } from "@tintype/contract";
import type { Sharp } from "sharp";
import { alphaLosses } from "./alpha-losses.ts";
import type { Source } from "./open-source.ts";

/**
 * Converts the source to what the target format can store, with all frames if it supports animation. Transparency is
 * flattened onto white or `background`, and colours without room for their profile are converted to sRGB. `notes`: the
 * losses.
 */
export async function fitToFormat(
  source: Source,
  target: OutputFormat,
  background = "transparent",
): Promise<{ image: Sharp; notes: Note[] }> {
  const { holds } = formats[target];
  const notes: Note[] = [
    ...(source.isAnimated && !holds.animation
      ? [{ code: "animation-lost", frames: source.pages, format: target } as const]
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

/** The colour losses by the format. */
export function colourLosses(
  { hasProfile, depth }: Pick<Source, "hasProfile" | "depth">,
  format: OutputFormat,
): Note[] {
  const { holds } = formats[format];
  return [
    ...(hasProfile && !holds.profile ? [{ code: "profile-lost", format } as const] : []),
    ...(depth === 16 && !holds.depth16 ? [{ code: "depth-lost", format } as const] : []),
  ];
}

/** WebP and AVIF are always written as RGB, to which a grey ICC profile does not apply. */
const storesGrey = (target: OutputFormat) => target !== "webp" && target !== "avif";
