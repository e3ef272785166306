import { readFile } from "node:fs/promises";
import { DomainError } from "@tintype/contract";
import { openWithLibvips } from "../open-with-libvips.ts";
import type { FileOpenOptions, Source } from "../source.ts";
import { withEndMarker } from "./end-marker.ts";
import { lacksScanData } from "./scan-data.ts";

/**
 * Opens a JPEG by libvips, with an end marker if it lacks only that.
 * @throws broken-image when the last rows are missing, which libvips does not notice; as `openWithLibvips`
 */
export async function openJpeg(opening: FileOpenOptions): Promise<Source> {
  const bytes = await readFile(opening.path);
  const input = withEndMarker(bytes);
  const source = await openWithLibvips({ ...opening, input: input ?? opening.path, format: "jpeg" });
  // Where warnings are tolerated, libvips does not fail on missing data.
  const readsAll = input !== undefined || opening.limits.toleratesHarmlessWarnings === true;
  if (lacksScanData(bytes, { readsAll })) throw new DomainError("broken-image");
  return source;
}
