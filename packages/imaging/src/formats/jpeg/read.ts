import { DomainError } from "@tintype/contract";
import sharp from "sharp";
import { brokenImage } from "../../raster/broken-image.ts";
import { openWithLibvips } from "../open-with-libvips.ts";
import type { FileOpenOptions, Source } from "../source.ts";
import { checkJpegScans } from "./count-scans.ts";
import { withDefinedHeight } from "./defined-height.ts";
import { withEndMarker } from "./end-marker.ts";
import { jpegOrientation, withOnlyOrientation } from "./metadata.ts";
import { lacksScanData } from "./scan-data.ts";
import { checkJpegCoding } from "./unread-coding.ts";

/**
 * Opens a JPEG by libvips, with an end marker if it lacks only that.
 * @throws broken-image when the last rows are missing, which libvips does not notice; as `openWithLibvips`
 */
export async function openJpeg({ file, limits }: FileOpenOptions): Promise<Source> {
  await file.withParts(async (read) => {
    await checkJpegCoding(read);
    await checkJpegScans(read);
  });
  const stored = await file.bytes();
  const defined = withDefinedHeight(stored);
  const bytes = defined ?? stored;
  const input = withEndMarker(bytes);
  const orientation = jpegOrientation(bytes);
  const turned = orientation === 1 ? undefined : await turnedAs(input ?? bytes, orientation);
  const source = await openWithLibvips({
    file,
    limits,
    input: turned ?? input ?? defined ?? file.path,
    format: "jpeg",
    isUpright: orientation === 1,
  });
  // Where warnings are tolerated, libvips does not fail on missing data.
  const readsAll = input !== undefined || defined !== undefined || limits.toleratesHarmlessWarnings === true;
  if (lacksScanData(bytes, { readsAll })) throw new DomainError("broken-image");
  return source;
}

/** The JPEG with an orientation that libvips reads alike; undefined if it does already. */
async function turnedAs(bytes: Uint8Array, orientation: number): Promise<Buffer | undefined> {
  const header = await sharp(bytes, { limitInputPixels: false, failOn: "none" }).metadata().catch(brokenImage);
  return header.orientation === orientation ? undefined : withOnlyOrientation(bytes, orientation);
}
