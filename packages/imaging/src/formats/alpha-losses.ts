import { formats, type Note, type OutputFormat } from "@tintype/contract";
import type { Sharp } from "sharp";
import { brokenImage } from "../raster/broken-image.ts";
import type { Source } from "./open-source.ts";

export const softAlphaLoss: Note = { code: "partial-transparency-lost" };

/** The losses of transparency if a picture is written as `target` without a background colour. */
export async function alphaLosses(source: Source, target: OutputFormat): Promise<Note[]> {
  if (!source.hasAlpha) return [];
  if (formats[target].holds.alpha)
    return source.format === "gif" ? [] : softAlphaLosses(source.read({ frames: "all" }), target);
  // The header says only that there is an alpha channel, and of an animation only the first frame is kept.
  if ((await alphaOf(source.read())).every((alpha) => alpha === 255)) return [];
  return [{ code: "transparency-lost", format: target }];
}

/** The loss if these pixels are written as `target`: GIF stores one transparent colour. */
export async function softAlphaLosses(image: Sharp, target: OutputFormat): Promise<Note[]> {
  if (target !== "gif") return [];
  return (await alphaOf(image)).some((alpha) => alpha > 0 && alpha < 255) ? [softAlphaLoss] : [];
}

/** 0..255, of each pixel. @throws broken-image */
const alphaOf = (image: Sharp): Promise<Uint8Array> =>
  image.clone().toColourspace("srgb").ensureAlpha().extractChannel("alpha").raw().toBuffer().catch(brokenImage);
