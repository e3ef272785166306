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
  /** Pixels of all tiles together; they may reach past the picture's edge. */
  codedPixels: number;
  bitsPerChannel: number;
  profile: Uint8Array | undefined;
  codePoints: CodePoints | undefined;
  /** Pictures in the file that stand for themselves: no tiles, thumbnails, mattes or depth maps. */
  pictures: number;
  /** Colours are stored multiplied by alpha. */
  isPremultiplied: boolean;
  /** Whether there is a film besides. */
  hasTrack: boolean;
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

  const tiles = primary.references.get("dimg")?.flatMap((id) => items.get(id) ?? []) ?? [];
  const first = tiles[0] ?? primary;
  const tileSizes = tiles.map((tile) => sizeOf(bytes, tile) ?? { width: 0, height: 0 });
  return {
    codec: first.type,
    ...size,
    codedPixels: tileSizes.reduce((sum, tile) => sum + tile.width * tile.height, 0) || size.width * size.height,
    bitsPerChannel: bitsOf(bytes, [primary, first]),
    ...colourOf(bytes, [primary, first]),
    pictures: countPictures([...items.values()]),
    isPremultiplied: primary.references.has("prem"),
    hasTrack,
  };
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

/** A profile may stand beside the code points; then it is the one that says more. */
function colourOf(bytes: Uint8Array, items: HeifItem[]): Pick<HeifFacts, "profile" | "codePoints"> {
  const boxes = items.flatMap(({ properties }) => properties.filter(({ type }) => type === "colr"));
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
