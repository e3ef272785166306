import type { Raster } from "../../raster/raster.ts";

/** One encoding of the picture. */
export type Candidate = {
  /** Every pixel keeps its colour. */
  isExact?: true;
  /** A first packing, which estimates the bytes of this encoding. */
  quickly: () => Uint8Array;
  /** The fewest bytes: seconds for a large picture. */
  thoroughly: () => Promise<Uint8Array>;
  /** The judge's sample in the same encoding, packed quickly. */
  onSample?: () => { sample: Raster<Uint8Array>; bytes: Uint8Array };
};

/** Candidates within this factor may change their order: the best packing takes 5 to 15 % off any kind. */
export const closeBy = 1.15;
