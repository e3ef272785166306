import { readJpegFacts } from "../formats/jpeg/facts.ts";
import type { Source } from "../formats/open-source.ts";
import { readHead } from "../formats/read-head.ts";
import { isLossyWebp } from "../formats/webp/is-lossy.ts";
import type { Raster } from "../raster/raster.ts";
import { showsBlockGrid } from "./block-grid.ts";
import type { Evidence } from "./shows-compression.ts";

/** A JPEG's tables follow its metadata, which may contain previews and colour profiles. */
const headBytes = 1 << 19;

/** The evidence of a picture's compression, from its file's head and its pixels. */
export async function gatherEvidence(source: Source, picture: Raster): Promise<Evidence> {
  const { format, width, height, sizeBytes } = source;
  const head = format === "jpeg" || format === "webp" ? await readHead(source.path, headBytes) : new Uint8Array();
  return {
    format,
    bytesPerPixel: sizeBytes / (width * height),
    ...(format === "jpeg" ? { jpeg: readJpegFacts(head) } : {}),
    ...(format === "webp" ? { isLossyWebp: isLossyWebp(head) } : {}),
    hasBlockGrid: showsBlockGrid(picture),
  };
}
