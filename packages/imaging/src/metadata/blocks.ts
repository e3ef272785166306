/** A file's metadata blocks, verbatim: EXIF from its "II" or "MM", the XMP packet, and the IPTC-IIM records. */
export type Blocks = { exif?: Uint8Array; xmp?: Uint8Array; iptc?: Uint8Array };

/** Blocks to write; a format supports both or neither. */
export type FreshBlocks = { exif?: Uint8Array; xmp?: Uint8Array };

/** Longer blocks are not read: what is kept of one takes a few hundred bytes. */
export const mostBlockBytes = 1_000_000;
