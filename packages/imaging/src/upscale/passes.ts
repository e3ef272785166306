import type { ModelId } from "../model/catalogue.ts";
import type { ScaleFactor } from "./result-size.ts";

export type PictureKind = "clean" | "compressed";
export type Wanted = { factor: ScaleFactor; kind: PictureKind; depth: 8 | 16 };

/** One run of one model over the whole picture; `kind` is the kind of its training pictures. */
export type Pass = { id: ModelId; kind: PictureKind };

/**
 * The models to run, one after the other: 8 times is 4 times, then 2 times. The result of a first pass is clean: only
 * the first model is for compressed pictures. Networks of integers work on 8 bits; places that end in "16bit" keep 16.
 */
export function passesFor({ factor, kind, depth }: Wanted): Pass[] {
  const scales: readonly (2 | 4)[] = factor === 8 ? [4, 2] : [factor];
  const deep = depth === 16 ? "-16bit" : "";
  return scales.map((scale, i) =>
    kind === "compressed" && i === 0
      ? { id: `upscale-x${scale}-compressed${deep}`, kind }
      : { id: `upscale-x${scale}${deep}`, kind: "clean" },
  );
}
