import type { Raster } from "../../raster/raster.ts";

/** What is written, and how hard zlib tries (1 to 9). */
export type LossyPicture = { samples: Raster<Uint8Array>; profile: Uint8Array | undefined; level: number };

/** A part of the picture that stands for it, and how alike (SSIMULACRA 2) a changed copy of that part is. */
export type Judged = { sample: Raster<Uint8Array>; likeness: (changed: Raster<Uint8Array>) => number };

/** The smallest file of its kind that scores at least `target` on the sample; undefined where none does. */
export type Way = (picture: LossyPicture, target: number) => Buffer | undefined;
