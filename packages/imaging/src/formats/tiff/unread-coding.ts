import type { Reason } from "@tintype/contract";
import { photometrics } from "./layout.ts";
import { sampleFormats } from "./samples.ts";
import { compressions, isUnpacked } from "./unpack.ts";

/** Tag values of a TIFF's first page. */
export type TiffCoding = {
  compression: number;
  photometric: number;
  /** Of the first sample. */
  bitsPerSample: number;
  sampleFormat: number;
  samplesPerPixel: number;
  isTiled: boolean;
  /** PlanarConfiguration is 2. */
  isPlanar: boolean;
};

/** Compressions that neither our decoder nor sharp's libtiff supports. */
const unreadCompressions: Record<number, string> = {
  33003: "JPEG 2000",
  33005: "JPEG 2000",
  34661: "JBIG",
  34712: "JPEG 2000",
  34887: "LERC",
  34925: "LZMA",
  50002: "JPEG XL",
};

/**
 * Whether our decoder must read the coding, because libvips misreads it or does not read it. For all others libvips is
 * faster, and decodes strip by strip.
 */
export function needsOwnDecoder(coding: TiffCoding): boolean {
  const { compression, photometric, bitsPerSample: bits, sampleFormat, samplesPerPixel, isTiled, isPlanar } = coding;
  if (compression === compressions.oldJpeg || compression === compressions.zstandard) return true;
  if (photometric === photometrics.yCbCr && compression !== compressions.jpeg) return true;
  if (photometric === photometrics.iccLab) return true;
  if (photometric === photometrics.cieLab && (bits !== 16 || samplesPerPixel !== 3)) return true;
  if (sampleFormat === sampleFormats.signed && photometric !== photometrics.cieLab) return true;
  if (sampleFormat === sampleFormats.floatingPoint) return true;
  if (isTiled && isPlanar && samplesPerPixel > 1) return true;
  const isCommon = samplesPerPixel > 1 ? [8, 16].includes(bits) : [1, 2, 4, 8, 16].includes(bits);
  return !isCommon || (photometric === photometrics.palette && bits === 16);
}

/**
 * The reason why an intact picture is not supported; undefined if it is. Without it, the file would be reported as
 * damaged.
 */
export function unreadCoding(coding: TiffCoding): Reason | undefined {
  const compression = unreadCompressions[coding.compression];
  if (compression) return { code: "tiff-compression", compression };
  if (!needsOwnDecoder(coding) || isUnpacked(coding.compression) || coding.compression === compressions.oldJpeg)
    return undefined;
  if (coding.compression === compressions.jpeg)
    return coding.bitsPerSample === 8 ? undefined : { code: "tiff-jpeg-depth", bits: coding.bitsPerSample };
  return { code: "tiff-pixel-format", compression: coding.compression };
}
