import type { Raster } from "../../raster/raster.ts";

/** One way to write the picture. */
export type Candidate = {
  /** A first packing: it tells how many bytes this way will about take. */
  quickly: () => Uint8Array;
  /** The fewest bytes: seconds for a large picture. */
  thoroughly: () => Promise<Uint8Array>;
};

/** Finds the smallest file of its kind that scores at least `target` on the judge's sample; undefined where none does. */
export type FindCandidate = (samples: Raster<Uint8Array>, target: number) => Candidate | undefined;
