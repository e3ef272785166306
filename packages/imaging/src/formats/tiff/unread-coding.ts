/** Of a TIFF's first page; numbers as TIFF 6.0 and its supplements give them. */
export type TiffCoding = {
  compression: number;
  photometric: number;
  /** Of the first channel. */
  bitsPerSample: number;
  samplesPerPixel: number;
  isTiled: boolean;
  /** Each channel stands by itself. */
  isPlanar: boolean;
};

/** Packings that the libtiff inside sharp is built without. */
const unreadPackings: Record<number, string> = {
  33003: "JPEG 2000",
  33005: "JPEG 2000",
  34661: "JBIG",
  34712: "JPEG 2000",
  34887: "LERC",
  34925: "LZMA",
  50000: "Zstandard",
  50002: "JPEG XL",
};

const [yCbCr, lab] = [6, 8];
/** Both packings by JPEG hold YCbCr that libtiff converts by itself. */
const jpegPackings = [6, 7];

/**
 * A sentence for a sound picture that libvips cannot read, or reads in false colours; undefined for all others. Without it a
 * person is told that the picture is damaged.
 */
export function unreadCoding(coding: TiffCoding): string | undefined {
  const { compression, photometric, bitsPerSample: bits, samplesPerPixel, isTiled, isPlanar } = coding;
  const packing = unreadPackings[compression];
  if (packing) return `Its pixels are packed by ${packing}.`;
  if (photometric === yCbCr && !jpegPackings.includes(compression))
    return "Its colours are YCbCr, which is read where JPEG packs it.";
  if (photometric === lab && bits === 8) return "Its colours are Lab of 8 bits; Lab is read in 16.";
  if (bits % 8 !== 0 && (samplesPerPixel > 1 || ![1, 2, 4].includes(bits)))
    return `It has ${bits} bits a channel; 8 and 16 are read, and 1, 2 and 4 of grey.`;
  if (isTiled && isPlanar && samplesPerPixel > 1) return "It has tiles of separate colours.";
  return undefined;
}
