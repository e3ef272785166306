import { readFile, rm, writeFile } from "node:fs/promises";
import { DomainError } from "@tintype/contract";
import { decodePicture } from "../../raster/decoded-picture.ts";
import type { PictureLimits } from "../../task.ts";
import { type GainMap, hdrgmOf, wholeIso } from "../jpeg/gain-map.ts";
import { encodeJpeg } from "../jpeg/write.ts";
import { readBoxes } from "./boxes.ts";
import { type HeifItem, readItems } from "./items.ts";
import { openHeif, withPrimary } from "./read.ts";

/** High, because the result encodes this JPEG once more. */
const quality = 95;

/**
 * The gain map of the primary image of a HEIC or AVIF, as a JPEG, upright like the picture. Undefined if there is none
 * by ISO 21496-1, if it cannot be decoded, or if its rotation differs from the picture's.
 * @param scratchPath for a temporary copy of the file
 */
export async function readHeifGainMap(
  path: string,
  { scratchPath, limits }: { scratchPath: string; limits: PictureLimits },
): Promise<GainMap | undefined> {
  try {
    const bytes = await readFile(path);
    const { items, primaryId } = readItems(bytes, readBoxes(bytes, 0, bytes.length));
    const derived = [...items.values()].find(({ type }) => type === "tmap");
    const [baseId = 0, mapId = 0] = derived?.references.get("dimg") ?? [];
    const [base, map] = [items.get(baseId), items.get(mapId)];
    // ISO/IEC 23008-12, 6.6.2.4: a version byte precedes the metadata of ISO 21496-1.
    const data = firstBytes(bytes, derived?.extents ?? []);
    const iso = data[0] === 0 ? wholeIso(data.subarray(1)) : undefined;
    if (!base || !map || !iso || baseId !== primaryId || turnsOf(bytes, base) !== turnsOf(bytes, map)) return undefined;
    await writeFile(scratchPath, withPrimary(bytes, map));
    const source = await openHeif({ path: scratchPath, sizeBytes: bytes.length, limits });
    const decoded = { ...(await decodePicture(source.read())), profile: undefined };
    const { bytes: jpeg } = await encodeJpeg(decoded.open(), { quality, decoded });
    const hdrgm = hdrgmOf(iso);
    return { jpeg, iso, ...(hdrgm ? { hdrgm } : {}) };
  } catch (problem) {
    // reported when the picture is decoded
    if (problem instanceof DomainError || problem instanceof RangeError) return undefined;
    throw problem;
  } finally {
    await rm(scratchPath, { force: true });
  }
}

/** Above the size of ISO 21496-1 metadata, which is at most 141 bytes. */
const mostDataBytes = 256;

/** Attack: overlapping extents let a small file claim gigabytes. */
function firstBytes(bytes: Uint8Array, extents: HeifItem["extents"]): Uint8Array {
  let data = Buffer.alloc(0);
  for (const { start, end } of extents) {
    if (data.length >= mostDataBytes) break;
    data = Buffer.concat([data, bytes.subarray(start, Math.min(end, start + mostDataBytes))]);
  }
  return data;
}

/** ISO/IEC 23008-12, 6.5.10 and 6.5.12. */
const turnsOf = (bytes: Uint8Array, { properties }: HeifItem): string =>
  properties
    .filter(({ type }) => type === "irot" || type === "imir")
    .map(({ start, end }) => Buffer.from(bytes.subarray(start, end)).toString("hex"))
    .join();
