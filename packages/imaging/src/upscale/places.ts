import { type ModelId, modelIds } from "../model/catalogue.ts";
import type { ScaleFactor } from "./result-size.ts";

export type PictureKind = "clean" | "compressed";
export type Wanted = { factor: ScaleFactor; kind: PictureKind; depth: 8 | 16 };

/** One run of one model over the whole picture; `kind` is what it was trained for. */
export type Pass = { id: ModelId; kind: PictureKind };

/**
 * The models to run, one after the other: 8 times is 4 times, then 2 times. What a first pass gives is clean, so that
 * only the first is for compressed pictures. Where the catalogue has no model of a kind the clean one stands in.
 * Networks of integers work on 8 bits; places that end in "16bit" keep the others.
 */
export function passesFor({ factor, kind, depth }: Wanted, ids: readonly string[] = modelIds): Pass[] {
  const scales = factor === 8 ? [4, 2] : [factor];
  return scales.map((scale, i) => {
    const deep = depth === 16 ? "-16bit" : "";
    const compressed = `upscale-x${scale}-compressed${deep}`;
    const isThere = kind === "compressed" && i === 0 && ids.includes(compressed);
    // The catalogue's own test holds that it has each of these names.
    const id = (isThere ? compressed : `upscale-x${scale}${deep}`) as ModelId;
    return { id, kind: isThere ? "compressed" : "clean" };
  });
}
