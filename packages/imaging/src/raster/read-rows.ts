import { type RowReader, rowsOf } from "@tintype/codecs/raster";
import type { Sharp } from "sharp";
import { decodeToFile } from "./picture-file.ts";
import { readPicture } from "./read-picture.ts";

/**
 * A larger picture is decoded to disk, and deleted before the system has written it back. A buffer of 36 MB costs page
 * faults and a full garbage collection: resizing 12 MP took 282 ms through memory and 247 through disk. And 800 MB of
 * RGBA, the most that a plan allows, does not exhaust memory.
 */
const defaultMemoryBytes = 2 ** 23;

export type OpenRows = RowReader & { close(): void };

type ReadRowsOptions = {
  picture: { depth: 8 | 16; isGrey: boolean; hasAlpha: boolean };
  /** The maximum size of the samples. */
  sizeBytes: number;
  temporaryPath: string;
  /** A larger picture goes to disk. */
  memoryBytes?: number;
};

/** Decodes a picture to rows. An animation is a strip of its frames. */
export async function readRows(image: Sharp, reading: ReadRowsOptions): Promise<OpenRows> {
  const { picture, sizeBytes, temporaryPath, memoryBytes = defaultMemoryBytes } = reading;
  if (sizeBytes <= memoryBytes) return { ...rowsOf(await readPicture(image, picture)), close: () => {} };
  const file = await decodeToFile(image, temporaryPath);
  return { ...file, close: file.remove };
}
