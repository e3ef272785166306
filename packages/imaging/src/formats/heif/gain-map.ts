import { rm, writeFile } from "node:fs/promises";
import { DomainError } from "@tintype/contract";
import type { Sharp } from "sharp";
import { decodePicture } from "../../raster/decoded-picture.ts";
import type { PictureLimits } from "../../task.ts";
import { appleGainMapType, appleHeadroom, convertAppleGainMap } from "../apple-gain-map.ts";
import { exifAfterOffset } from "../exif.ts";
import { type InputFile, openInputFile } from "../input-file.ts";
import { type GainMap, wholeIso, withHdrgm } from "../jpeg/gain-map.ts";
import { encodeJpeg } from "../jpeg/write.ts";
import { readBoxes } from "./boxes.ts";
import { auxiliaryTypeOf } from "./facts.ts";
import { type HeifItem, readItems } from "./items.ts";
import { openHeif, withPrimary } from "./read.ts";

/** High, because the result encodes this JPEG once more. */
const quality = 95;

/**
 * The gain map of the primary image of a HEIC or AVIF, by ISO 21496-1 or Apple's, as a JPEG, upright like the picture.
 * Undefined if there is none, if the headroom of Apple's is not given, if it cannot be decoded, or if its rotation
 * differs from the picture's.
 * @param scratchPath for a temporary copy of the file
 */
export async function readHeifGainMap(
  file: InputFile,
  { scratchPath, limits }: { scratchPath: string; limits: PictureLimits },
): Promise<GainMap | undefined> {
  try {
    const bytes = await file.bytes();
    const { items, primaryId } = readItems(bytes, readBoxes(bytes, 0, bytes.length));
    const base = items.get(primaryId);
    const found = findIsoMap(bytes, { items, primaryId }) ?? findAppleMap(bytes, { items, primaryId });
    if (!base || !found || turnsOf(bytes, base) !== turnsOf(bytes, found.map)) return undefined;
    await writeFile(scratchPath, withPrimary(bytes, found.map));
    const source = await openHeif({ file: await openInputFile(scratchPath), limits });
    return withHdrgm(await found.encode(source.read()));
  } catch (problem) {
    // reported when the picture is decoded
    if (problem instanceof DomainError || problem instanceof RangeError) return undefined;
    throw problem;
  } finally {
    await rm(scratchPath, { force: true });
  }
}

type Items = ReturnType<typeof readItems>;
/** The item of a gain map, and how its picture becomes a JPEG with the metadata of ISO 21496-1. */
type FoundMap = { map: HeifItem; encode: (image: Sharp) => Promise<{ jpeg: Uint8Array; iso: Uint8Array }> };

function findIsoMap(bytes: Uint8Array, { items, primaryId }: Items): FoundMap | undefined {
  const derived = [...items.values()].find(({ type }) => type === "tmap");
  const [baseId = 0, mapId = 0] = derived?.references.get("dimg") ?? [];
  const map = items.get(mapId);
  // ISO/IEC 23008-12, 6.6.2.4: a version byte precedes the metadata of ISO 21496-1.
  const data = firstBytes(bytes, derived?.extents ?? [], maxBlockBytes.iso);
  const iso = data[0] === 0 ? wholeIso(data.subarray(1)) : undefined;
  if (!map || !iso || baseId !== primaryId) return undefined;
  const encode = async (image: Sharp) => {
    const decoded = await decodeMap(image);
    return { jpeg: (await encodeJpeg(decoded.open(), { quality, decoded })).bytes, iso };
  };
  return { map, encode };
}

/** Gain map samples are not colours: any profile is ignored. */
const decodeMap = async (image: Sharp) => ({ ...(await decodePicture(image)), profile: undefined });

/** An auxiliary image of the primary one. Its XMP and the picture's EXIF give the headroom. */
function findAppleMap(bytes: Uint8Array, { items, primaryId }: Items): FoundMap | undefined {
  const all = [...items.values()];
  const map = all.find(
    (item) =>
      item.references.get("auxl")?.includes(primaryId) === true && auxiliaryTypeOf(bytes, item) === appleGainMapType,
  );
  const describing = (id: number, kind: string, maxBytes: number) => {
    const item = all.find(({ type, references }) => type === kind && references.get("cdsc")?.includes(id));
    return item && firstBytes(bytes, item.extents, maxBytes);
  };
  if (!map) return undefined;
  const exif = exifAfterOffset(describing(primaryId, "Exif", maxBlockBytes.exif));
  const xmp = describing(map.id, "mime", maxBlockBytes.xmp)?.toString("latin1") ?? "";
  const headroom = appleHeadroom({ xmp, exif });
  return headroom
    ? { map, encode: async (image) => convertAppleGainMap((await decodeMap(image)).open(), headroom) }
    : undefined;
}

/** ISO 21496-1 metadata is at most 141 bytes. */
const maxBlockBytes = { iso: 256, exif: 1e6, xmp: 100_000 };

/** Attack: overlapping extents let a small file claim gigabytes. */
function firstBytes(bytes: Uint8Array, extents: HeifItem["extents"], maxBytes: number): Buffer {
  const parts: Uint8Array[] = [];
  let room = maxBytes;
  for (const { start, end } of extents) {
    if (room <= 0) break;
    const part = bytes.subarray(start, Math.min(end, start + room));
    parts.push(part);
    room -= part.length;
  }
  return Buffer.concat(parts);
}

/** ISO/IEC 23008-12, 6.5.10 and 6.5.12. */
const turnsOf = (bytes: Uint8Array, { properties }: HeifItem): string =>
  properties
    .filter(({ type }) => type === "irot" || type === "imir")
    .map(({ start, end }) => Buffer.from(bytes.subarray(start, end)).toString("hex"))
    .join();
