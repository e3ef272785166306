import { readFile, rm, writeFile } from "node:fs/promises";
import { DomainError } from "@tintype/contract";
import { decodePicture } from "../../raster/decoded-picture.ts";
import type { PictureLimits } from "../../task.ts";
import { type GainMap, hdrgmOf, wholeIso } from "../jpeg/gain-map.ts";
import { encodeJpeg } from "../jpeg/write.ts";
import { readBoxes } from "./boxes.ts";
import { type HeifItem, readItems } from "./items.ts";
import { openHeif, withPrimary } from "./read.ts";

/** A loss on the way to the JPEG that is coded once more for the result. */
const quality = 95;

/**
 * The gain map of a HEIC's or AVIF's main picture, for a JPEG: upright, as the picture is read. Undefined where there is none by ISO
 * 21496-1, where it cannot be decoded, or where it is turned in another way than its picture.
 * @param scratchPath for a copy of the file, which is removed
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
    // ISO/IEC 23008-12, 6.6.2.4: a version of one byte comes before the data of ISO 21496-1.
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
    if (problem instanceof DomainError || problem instanceof RangeError) return undefined; // damage is reported when the picture is decoded
    throw problem;
  } finally {
    await rm(scratchPath, { force: true });
  }
}

/** Above the length of ISO 21496-1's data, which is at most 141 bytes. */
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
