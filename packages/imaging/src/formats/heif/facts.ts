import type { CodePoints } from "@tintype/codecs/colour";
import { DomainError } from "@tintype/contract";
import { isLimitedGreyAv1 } from "./av1-range.ts";
import { type Box, fourCharacters, readBoxes, reader } from "./boxes.ts";
import { type HeifItem, readItems } from "./items.ts";

/** Facts of the primary image of a HEIF (HEIC or AVIF). */
export type HeifFacts = {
  /** The coding format: "hvc1", "av01" and so on; of a grid, that of its first tile. */
  codec: string;
  /** As stored, before rotation. */
  width: number;
  height: number;
  /** The items to decode: its tiles or itself, and those of its alpha. */
  coded: CodedItem[];
  /** Whether it is a derived image: a grid, an overlay or an identity. */
  isTiled: boolean;
  /** The pixels of all tiles; a grid may extend past the picture's edge. */
  codedPixels: number;
  bitsPerChannel: number;
  profile: Uint8Array | undefined;
  codePoints: CodePoints | undefined;
  /** Image items other than tiles, thumbnails, alpha planes and depth maps. */
  pictures: number;
  /** Colours are premultiplied by alpha. */
  isPremultiplied: boolean;
  /** Limited-range grey: black is 16 and white is 235 of 255. */
  isLimitedGrey: boolean;
  /** Whether there is also an image sequence track. */
  hasTrack: boolean;
  /** Whether the primary image has an HDR rendition, derived from a gain map (ISO 21496-1). */
  hasGainMap: boolean;
};

type CodedItem = Pick<HeifItem, "id" | "flagsAt"> & {
  /** The extents of its data in the file, in order. */
  extents: HeifItem["extents"];
  /** Of HEVC: the size of the NAL unit length field. */
  lengthBytes: number;
};

/**
 * Reads the header of a HEIF file (ISO/IEC 23008-12).
 * @throws broken-image when there is no primary image with a size, cannot-process when the file is a video only
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
  if (!primary && hasTrack) throw new DomainError("cannot-process", { reason: { code: "video-only" } });
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
    isLimitedGrey:
      isMonochrome(bytes, first) && (isLimitedRange(bytes, [primary, first]) ?? isLimitedGreyIn(bytes, first)),
    hasTrack,
    hasGainMap: [...items.values()].some(({ type }) => type === "tmap"),
  };
}

/**
 * ISO/IEC 14496-15, 8.3.3.1.2: `lengthSizeMinusOne` is the lowest two bits of byte 21 of the decoder configuration
 * record.
 */
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
const maxParts = 100_000;

/** The coded items of a picture: itself, or those that a grid, an overlay or an identity derives from. */
function partsOf(item: HeifItem, items: ReadonlyMap<number, HeifItem>): HeifItem[] {
  const parts: HeifItem[] = [];
  const waiting = [item];
  let visited = 0;
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    // Attack: items that reference each other in a cycle, or many times over.
    if (++visited > maxParts) throw new DomainError("broken-image", { cause: "HEIF: a picture of too many parts" });
    if (!derivedTypes.includes(next.type)) parts.push(next);
    else waiting.push(...(next.references.get("dimg") ?? []).toReversed().flatMap((id) => items.get(id) ?? []));
  }
  return parts;
}

const derivedTypes = ["grid", "iovl", "iden"];

/** ISO/IEC 23008-12, 6.6.2.1.1, and the URN that older HEVC files use. */
const alphaNames = ["urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1"];

function isAlphaOf(bytes: Uint8Array, item: HeifItem, of: HeifItem): boolean {
  const name = item.references.get("auxl")?.includes(of.id) ? auxiliaryTypeOf(bytes, item) : undefined;
  return name !== undefined && alphaNames.includes(name);
}

/** The URN of an auxiliary image's type (ISO/IEC 23008-12, 6.5.8): alpha, depth, a gain map. */
export function auxiliaryTypeOf(bytes: Uint8Array, item: HeifItem): string | undefined {
  const box = property(item, "auxC");
  // A null-terminated string; data of the type may follow.
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

/** From `pixi` if present, else from the decoder configuration record. */
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

/** ISO/IEC 23091-2: `full_range_flag` follows the three code points. Undefined without them. */
function isLimitedRange(bytes: Uint8Array, items: HeifItem[]): boolean | undefined {
  const codes = colourBoxes(items).find(({ body }) => fourCharacters(bytes, body) === "nclx");
  return codes && ((bytes[codes.body + 10] ?? 0x80) & 0x80) === 0;
}

/** The range of AV1 grey by its bitstream: the sequence header is in `av1C` after four bytes, or with the picture. */
function isLimitedGreyIn(bytes: Uint8Array, item: HeifItem): boolean {
  const av1 = property(item, "av1C");
  if (!av1) return false;
  const [data] = item.extents;
  return (
    isLimitedGreyAv1(bytes.subarray(av1.body + 4, av1.end)) ??
    (data && isLimitedGreyAv1(bytes.subarray(data.start, data.end))) ??
    false
  );
}

const colourBoxes = (items: HeifItem[]) =>
  items.flatMap(({ properties }) => properties.filter(({ type }) => type === "colr"));

/** An ICC profile takes precedence over the code points next to it. */
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

/** Item types that are not images of their own. */
const notPictures = ["Exif", "mime", "uri ", "tmap"];

function countPictures(items: HeifItem[]): number {
  const parts = new Set(items.flatMap(({ references }) => references.get("dimg") ?? []));
  const belongsToAnother = ({ references }: HeifItem) => references.has("thmb") || references.has("auxl");
  return items.filter(
    (item) => !item.isHidden && !parts.has(item.id) && !notPictures.includes(item.type) && !belongsToAnother(item),
  ).length;
}
