import type { Raster } from "../../raster/raster.ts";

/** `level`: zlib's, 1 to 9. */
export type LossyPicture = { samples: Raster<Uint8Array>; level: number };

/** Finds the smallest file of its kind that scores at least `target` on the judge's sample; undefined where none does. */
export type FindCandidate = (picture: LossyPicture, target: number) => Buffer | undefined;
