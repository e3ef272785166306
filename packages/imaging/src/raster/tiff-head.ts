import { hasAlpha, type RasterShape } from "@tintype/codecs/raster";
import { fieldTypes } from "./tiff-directory.ts";
import { littleTiffHead, numbersEntry, writeDirectory } from "./write-directory.ts";

/** The approximate size of a strip. */
const stripBytes = 1 << 20;

/**
 * The header of an uncompressed TIFF: the samples follow in raster order, interleaved, 16-bit ones little-endian. It is
 * the only container that carries all such samples uncompressed with their profile, and libvips reads it strip by
 * strip.
 */
export function tiffHead(shape: RasterShape): Buffer {
  const { channels } = shape;
  return tiffHeadFor({
    ...shape,
    photometric: channels < 3 ? blackIsZero : rgb,
    extraSample: hasAlpha(channels) ? straightAlpha : undefined,
  });
}

/** Values of PhotometricInterpretation (TIFF 6.0, section 8). */
const [blackIsZero, rgb] = [1, 2] as const;
/** Of ExtraSamples (TIFF 6.0, section 18). */
export const straightAlpha = 2;

type TiffShape = Omit<RasterShape, "channels"> & {
  channels: number;
  photometric: number;
  /** The ExtraSamples value of one channel after the colours. */
  extraSample?: number | undefined;
  /** As EXIF's; upright if omitted. */
  orientation?: number | undefined;
};

/** The same for any colour space, such as CMYK, and for a picture that the reader must orient. */
export function tiffHeadFor({ width, height, channels, depth, profile, ...meaning }: TiffShape): Buffer {
  const rowBytes = (width * channels * depth) / 8;
  const rowsPerStrip = Math.max(1, Math.floor(stripBytes / rowBytes));
  const strips = Array.from({ length: Math.ceil(height / rowsPerStrip) }, (_, i) => i * rowsPerStrip);
  const stripLengths = strips.map((top) => Math.min(rowsPerStrip, height - top) * rowBytes);
  const head = (pixelsAt: number) => {
    const entries = [
      numbersEntry(256, "long", [width]),
      numbersEntry(257, "long", [height]),
      numbersEntry(258, "short", Array(channels).fill(depth)), // BitsPerSample
      numbersEntry(259, "short", [1]), // uncompressed
      numbersEntry(262, "short", [meaning.photometric]),
      numbersEntry(
        273,
        "long",
        strips.map((top) => pixelsAt + top * rowBytes),
      ),
      ...(meaning.orientation ? [numbersEntry(274, "short", [meaning.orientation])] : []),
      numbersEntry(277, "short", [channels]),
      numbersEntry(278, "long", [rowsPerStrip]),
      numbersEntry(279, "long", stripLengths),
      ...(meaning.extraSample ? [numbersEntry(338, "short", [meaning.extraSample])] : []),
      ...(profile ? [{ tag: 34675, type: fieldTypes.undefined, bytes: profile }] : []),
    ];
    const directory = writeDirectory(entries, { at: littleTiffHead.length, isLittle: true, isBig: false });
    return Buffer.concat([littleTiffHead, directory]);
  };
  // The offset of the samples depends on the header's length but not on its values: it is written once to measure it.
  return head(head(0).length);
}
