import { DomainError } from "@tintype/contract";
import type { CodePoints } from "../../colour/code-points.ts";
import { type Box, fourCharacters, readBoxes, reader } from "./boxes.ts";
import { type HeifItem, readItems } from "./items.ts";

/** Facts of a HEIF's (HEIC's or AVIF's) main picture. */
export type HeifFacts = {
  /** The coding: "hvc1", "av01" and so on; the first tile's, if the picture consists of tiles. */
  codec: string;
  /** As stored, before it is turned. */
  width: number;
  height: number;
  /** Items that are decoded for it: its tiles or itself, and those of its alpha. */
  coded: CodedItem[];
  /** Whether it consists of other items: a grid, an overlay, another item turned. */
  isTiled: boolean;
  /** Pixels of all tiles together; they may reach past the picture's edge. */
  codedPixels: number;
  bitsPerChannel: number;
  profile: Uint8Array | undefined;
  codePoints: CodePoints | undefined;
  /** Image items that are no tiles, thumbnails, alpha planes or depth maps. */
  pictures: number;
  /** Colours are stored multiplied by alpha. */
  isPremultiplied: boolean;
  /** Grey whose black is 16 and whose white is 235 of 255. */
  isLimitedGrey: boolean;
  /** Whether there is also an image sequence track. */
  hasTrack: boolean;
  /** Whether the main picture has a rendition for HDR screens, made with a gain map (ISO 21496-1). */
  hasGainMap: boolean;
};

type CodedItem = Pick<HeifItem, "id" | "flagsAt"> & {
  /** The ranges of its bytes in the file, in order. */
  extents: HeifItem["extents"];
  /** Of HEVC: the bytes of each NAL unit's length. */
  lengthBytes: number;
};

/**
 * Reads the header of a HEIF file (ISO/IEC 23008-12).
 * @throws broken-image when there is no main picture with a size, cannot-process when the file is a film alone
 */
export function readHeifFacts(bytes: Uint8Array): HeifFacts {
  try {
    return read(bytes);
  } catch (cause) {
    if (cause instanceof RangeError) throw new DomainError("broken-image", { cause });
    throw cause;
  }
}

function read(bytes: Uint8Array): HeifFacts {
  const boxes = readBoxes(bytes, 0, bytes.length);
  const hasTrack = boxes.some(({ type }) => type === "moov");
  const { items, primaryId } = readItems(bytes, boxes);
  const primary = items.get(primaryId);
  if (!primary && hasTrack)
    throw new DomainError("cannot-process", { detail: "This file is a film; only pictures are worked on." });
  const size = primary && sizeOf(bytes, primary);
  if (!primary || !size) throw new DomainError("broken-image", { cause: "HEIF: no main picture with a size" });

  const parts = partsOf(primary, items);
  const tiles = parts.filter((part) => part !== primary);
  const first = tiles[0] ?? primary;
  const alphas = [...items.values()].filter((item) => isAlphaOf(bytes, item, primary));
  const coded = [...parts, ...alphas.flatMap((alpha) => partsOf(alpha, items))];
  if (coded.some(({ isCut }) => isCut))
    throw new DomainError("broken-image", { cause: "HEIF: a part of the picture lies outside the file" });
  const tileSizes = tiles.map((tile) => sizeOf(bytes, tile) ?? { width: 0, height: 0 });
  return {
    codec: first.type,
    ...size,
    codedPixels: tileSizes.reduce((sum, tile) => sum + tile.width * tile.height, 0) || size.width * size.height,
    bitsPerChannel: bitsOf(bytes, [primary, first]),
    ...colourOf(bytes, [primary, first]),
    coded: coded.map((item) => codedItem(bytes, item)),
    isTiled: tiles.length > 0,
    pictures: countPictures([...items.values()]),
    isPremultiplied: primary.references.has("prem"),
    isLimitedGrey: isMonochrome(bytes, first) && isLimitedRange(bytes, [primary, first]),
    hasTrack,
    hasGainMap: [...items.values()].some(({ type }) => type === "tmap"),
  };
}

/** ISO/IEC 14496-15, 8.3.3.1.2: `lengthSizeMinusOne` is the lowest two bits of the configuration's byte 21. */
function codedItem(bytes: Uint8Array, item: HeifItem): CodedItem {
  const hevc = property(item, "hvcC");
  return {
    id: item.id,
    flagsAt: item.flagsAt,
    extents: item.extents,
    lengthBytes: hevc ? ((bytes[hevc.body + 21] ?? 3) & 3) + 1 : 4,
  };
}

/** Tiles of 64 x 64 px in a picture of 200 megapixels are 50,000. */
const mostParts = 100_000;

/** The coded items that a picture is made of: itself, or what a grid, an overlay or an identity refers to. */
function partsOf(item: HeifItem, items: ReadonlyMap<number, HeifItem>): HeifItem[] {
  const parts: HeifItem[] = [];
  const waiting = [item];
  let visited = 0;
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    // Items that refer to each other in a circle, or many times over, end here.
    if (++visited > mostParts) throw new DomainError("broken-image", { cause: "HEIF: a picture of too many parts" });
    if (!derivedTypes.includes(next.type)) parts.push(next);
    else waiting.push(...(next.references.get("dimg") ?? []).toReversed().flatMap((id) => items.get(id) ?? []));
  }
  return parts;
}

const derivedTypes = ["grid", "iovl", "iden"];

/** ISO/IEC 23008-12, 6.6.2.1.1, and the name that HEVC files used before. */
const alphaNames = ["urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1"];

function isAlphaOf(bytes: Uint8Array, item: HeifItem, of: HeifItem): boolean {
  const name = item.references.get("auxl")?.includes(of.id) ? auxiliaryTypeOf(bytes, item) : undefined;
  return name !== undefined && alphaNames.includes(name);
}

/** The URN that says what an auxiliary image holds (ISO/IEC 23008-12, 6.5.8): alpha, depth, a gain map. */
export function auxiliaryTypeOf(bytes: Uint8Array, item: HeifItem): string | undefined {
  const box = property(item, "auxC");
  // A string that ends with a zero; data of the type may follow.
  return box && new TextDecoder().decode(bytes.subarray(box.body + 4, box.end)).split("\0")[0];
}

const property = (item: HeifItem, type: string) => item.properties.find((box) => box.type === type);

function sizeOf(bytes: Uint8Array, item: HeifItem): { width: number; height: number } | undefined {
  const box = property(item, "ispe");
  if (!box) return undefined;
  const { number } = reader(bytes, box);
  number(4); // version and flags
  return { width: number(4), height: number(4) };
}

/** From the pixel information where it is there, else from the coder's own configuration. */
function bitsOf(bytes: Uint8Array, items: HeifItem[]): number {
  for (const item of items) {
    const pixi = property(item, "pixi");
    if (pixi) return Math.max(...bytes.subarray(pixi.body + 5, pixi.end), 8);
    const hevc = property(item, "hvcC");
    if (hevc) return ((bytes[hevc.body + 17] ?? 0) & 7) + 8;
    const av1 = property(item, "av1C");
    if (av1) return (bytes[av1.body + 2] ?? 0) & 0x40 ? ((bytes[av1.body + 2] ?? 0) & 0x20 ? 12 : 10) : 8;
  }
  return 8;
}

/** AV1 codec ISO media file format, 2.3.3, and ISO/IEC 14496-15, 8.3.3.1.2. */
function isMonochrome(bytes: Uint8Array, item: HeifItem): boolean {
  const av1 = property(item, "av1C");
  if (av1) return ((bytes[av1.body + 2] ?? 0) & 0x10) !== 0;
  const hevc = property(item, "hvcC");
  return hevc !== undefined && ((bytes[hevc.body + 16] ?? 0) & 3) === 0;
}

/** ISO/IEC 23091-2: `full_range_flag` follows the three code points. */
function isLimitedRange(bytes: Uint8Array, items: HeifItem[]): boolean {
  const codes = colourBoxes(items).find(({ body }) => fourCharacters(bytes, body) === "nclx");
  return codes !== undefined && ((bytes[codes.body + 10] ?? 0x80) & 0x80) === 0;
}

const colourBoxes = (items: HeifItem[]) =>
  items.flatMap(({ properties }) => properties.filter(({ type }) => type === "colr"));

/** A profile may stand beside the code points; then it is the one that says more. */
function colourOf(bytes: Uint8Array, items: HeifItem[]): Pick<HeifFacts, "profile" | "codePoints"> {
  const boxes = colourBoxes(items);
  const find = (...kinds: string[]): Box | undefined =>
    boxes.find(({ body }) => kinds.includes(fourCharacters(bytes, body)));
  const icc = find("prof", "rICC");
  const codes = find("nclx");
  const { number } = reader(bytes, codes ? { body: codes.body + 4, end: codes.end } : { body: 0, end: 4 });
  return {
    profile: icc && bytes.subarray(icc.body + 4, icc.end),
    codePoints: codes && { primaries: number(2), transfer: number(2) },
  };
}

/** Item types that are no picture. */
const notPictures = ["Exif", "mime", "uri ", "tmap"];

function countPictures(items: HeifItem[]): number {
  const parts = new Set(items.flatMap(({ references }) => references.get("dimg") ?? []));
  const belongsToAnother = ({ references }: HeifItem) => references.has("thmb") || references.has("auxl");
  return items.filter(
    (item) => !item.isHidden && !parts.has(item.id) && !notPictures.includes(item.type) && !belongsToAnother(item),
  ).length;
}
