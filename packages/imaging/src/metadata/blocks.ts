/**
 * The metadata blocks of a file, unchanged: EXIF from its "II" or "MM", the XMP packet, and the records of IPTC-IIM.
 */
export type Blocks = { exif?: Uint8Array; xmp?: Uint8Array; iptc?: Uint8Array };

/** Blocks to write; a format without room for one of them has none of either. */
export type FreshBlocks = { exif?: Uint8Array; xmp?: Uint8Array };

/** Longer blocks are not read: what stays of one takes a few hundred bytes. */
export const mostBlockBytes = 1_000_000;
