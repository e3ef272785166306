import type { Raster } from "@tintype/codecs/raster";
import type { InputFormat } from "@tintype/contract";
import type { InputFile } from "../formats/input-file.ts";
import { type JpegFacts, readJpegFacts } from "../formats/jpeg/facts.ts";
import type { Source } from "../formats/open-source.ts";
import { isLossyWebp } from "../formats/webp/container.ts";
import { showsBlockGrid } from "./block-grid.ts";

/** Evidence of lossy compression, from a file and its pixels. */
export type Evidence = {
  format: InputFormat;
  bytesPerPixel: number;
  /** Absent if the JPEG's tables could not be read. */
  jpeg?: JpegFacts | undefined;
  /** Whether a WebP is lossy. */
  isLossyWebp?: boolean;
  /** Whether the pixels themselves show a JPEG's blocks. */
  hasBlockGrid?: boolean;
};

/** From this quality on, a JPEG's errors are too small for the clean-picture network to amplify them. */
const cleanJpegQuality = { fullColour: 90, subsampled: 93 } as const;
/** A JPEG with fine tables and this few bytes was soft when it was encoded: it is a re-encoded JPEG. */
const resavedBytesPerPixel = 0.12;
/** Photographs below this are strongly compressed: about quality 85 and less, on each encoder's own scale. */
const cleanBytesPerPixel = { webp: 0.35, avif: 0.2, heic: 0.15, jxl: 0.2, jp2: 0.25 } as const;

/**
 * Whether to use the network trained on compressed pictures: it removes blocking and ringing, which the clean-picture
 * network would sharpen.
 */
export function showsCompression({
  format,
  bytesPerPixel,
  jpeg,
  isLossyWebp,
  hasBlockGrid = false,
}: Evidence): boolean {
  switch (format) {
    case "jpeg":
      if (!jpeg) return true;
      return (
        jpeg.quality < cleanJpegQuality[jpeg.isSubsampled ? "subsampled" : "fullColour"] ||
        bytesPerPixel < resavedBytesPerPixel
      );
    case "webp":
      return isLossyWebp === true ? bytesPerPixel < cleanBytesPerPixel.webp : hasBlockGrid;
    case "avif":
    case "heic":
    case "jxl":
    case "jp2":
      return bytesPerPixel < cleanBytesPerPixel[format];
    case "png":
    case "bmp":
    case "tiff":
    case "ico":
    case "psd":
      return hasBlockGrid;
    case "gif":
    case "svg":
    case "pdf":
      return false;
  }
}

/** A JPEG's tables follow its metadata, which may contain previews and ICC profiles. */
const headBytes = 1 << 19;

export async function gatherEvidence(
  source: Source,
  { picture, file }: { picture: Raster; file: InputFile },
): Promise<Evidence> {
  const { format, width, height, sizeBytes } = source;
  const head =
    format === "jpeg" || format === "webp" ? await file.withParts((read) => read(0, headBytes)) : new Uint8Array();
  return {
    format,
    bytesPerPixel: sizeBytes / (width * height),
    ...(format === "jpeg" ? { jpeg: readJpegFacts(head) } : {}),
    ...(format === "webp" ? { isLossyWebp: isLossyWebp(head) } : {}),
    hasBlockGrid: showsBlockGrid(picture),
  };
}
