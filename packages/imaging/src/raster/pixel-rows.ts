import type { TiffPicture } from "./tiff-head.ts";

/** A picture whose rows can be had in order, from the top down. */
export type PixelRows = TiffPicture & {
  /** How large it is meant to be shown: pixels an inch. */
  density?: number | undefined;
  /** 16 bit samples as the machine has them, which is with the low byte first. The next call may overwrite what it gave. */
  readRows(rows: { first: number; count: number }): Promise<Uint8Array | Uint16Array>;
};
