import { formats, type OutputFormat } from "@tintype/contract";
import type { Sharp } from "sharp";
import { brokenImage } from "../raster/broken-image.ts";
import type { Source } from "./open-source.ts";

export const softAlphaLoss =
  "Partly transparent areas are now opaque or fully transparent: GIF has no partial transparency.";

/** The losses of transparency if a picture is written as `target` without a background colour, a sentence each. */
export async function alphaLosses(source: Source, target: OutputFormat): Promise<string[]> {
  if (!source.hasAlpha) return [];
  const { holds, label } = formats[target];
  if (holds.alpha) return source.format === "gif" ? [] : softAlphaLosses(source.read({ frames: "all" }), target);
  // The header says only that there is an alpha channel, and of an animation only the first frame is kept.
  if ((await alphaOf(source.read())).every((alpha) => alpha === 255)) return [];
  return [`Transparent areas are now white: ${label} has no transparency.`];
}

/** The loss if these pixels are written as `target`: GIF stores one transparent colour. */
export async function softAlphaLosses(image: Sharp, target: OutputFormat): Promise<string[]> {
  if (target !== "gif") return [];
  return (await alphaOf(image)).some((alpha) => alpha > 0 && alpha < 255) ? [softAlphaLoss] : [];
}

/** 0..255, of each pixel. @throws broken-image */
const alphaOf = (image: Sharp): Promise<Uint8Array> =>
  image.clone().toColourspace("srgb").ensureAlpha().extractChannel("alpha").raw().toBuffer().catch(brokenImage);
