import type { InputFile } from "./input-file.ts";
import { partsOfJpeg } from "./jpeg/parts.ts";
import type { Parts } from "./parts.ts";
import { afterPng } from "./png/container.ts";
import { formatModules } from "./registry.ts";

/**
 * Finds the parts by the file's structure, without decoding; none if it cannot be parsed. `isStandIn`: the lossless PNG
 * that one step writes for the next, which has the gain map's JPEG after IEND.
 */
export async function readParts(file: InputFile, { isStandIn = false } = {}): Promise<Parts> {
  const { format } = file;
  try {
    if (format === "png" && isStandIn) return partsOfJpeg(afterPng(await file.bytes()));
    return (format && (await formatModules[format].readParts?.(file))) ?? new Map();
  } catch (cause) {
    if (cause instanceof RangeError) return new Map();
    throw cause;
  }
}
