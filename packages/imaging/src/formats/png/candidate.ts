import type { Raster } from "../../raster/raster.ts";

/** One way to write the picture. */
export type Candidate = {
  /** Every pixel keeps its colour. */
  isExact?: true;
  /** A first packing: it tells how many bytes this way will about take. */
  quickly: () => Uint8Array;
  /** The fewest bytes: seconds for a large picture. */
  thoroughly: () => Promise<Uint8Array>;
  /** The judge's sample, packed quickly in the same way. */
  onSample?: () => { sample: Raster<Uint8Array>; bytes: Uint8Array };
};

/** Candidates within this factor may change their order: the best packing takes 5 to 15 % off any kind. */
export const closeBy = 1.15;
