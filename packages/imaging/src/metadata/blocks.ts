import type { Density } from "./density.ts";

/**
 * A file's metadata blocks, verbatim: EXIF from its "II" or "MM", the XMP packet, and the IPTC-IIM records; and the
 * density that the format states outside of EXIF.
 */
export type Blocks = {
  density?: Density | undefined;
  /** By which the picture is turned when it is decoded. */
  orientation?: number;
  exif?: Uint8Array | undefined;
  xmp?: Uint8Array | undefined;
  iptc?: Uint8Array | undefined;
};

/** Blocks to write; a format supports both or neither. */
export type FreshBlocks = Pick<Blocks, "exif" | "xmp">;

/** Longer blocks are not read: what is kept of one takes a few hundred bytes. */
export const maxBlockBytes = 1_000_000;
