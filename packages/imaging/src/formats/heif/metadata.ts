import { blank, type Range } from "../blank-ranges.ts";
import type { Stripped } from "../stripped.ts";
import { type Box, readBoxes } from "./boxes.ts";
import { type HeifItem, readItems } from "./items.ts";

/** Boxes at the top that pictures and films consist of; any other belongs to an application. */
const keptAtTop = new Set(["ftyp", "styp", "meta", "mdat", "moov", "moof", "mfra", "sidx"]);
/** Items that are no picture: EXIF, XMP and anything else that a type names. */
const metadataItems = new Set(["Exif", "mime", "uri "]);

/**
 * A HEIC or AVIF whose EXIF, XMP, texts and boxes of applications are blank. Nothing moves, and the pixels stay
 * untouched: an empty EXIF replaces the EXIF, a free box replaces a box.
 */
export function stripHeif(bytes: Uint8Array): Stripped {
  const boxes = readBoxes(bytes, 0, bytes.length);
  const items = [...readItems(bytes, boxes).items.values()];
  const isMetadata = ({ type }: HeifItem) => metadataItems.has(type);
  const foreign = [...boxes.filter(({ type }) => !keptAtTop.has(type)), ...textsIn(bytes, boxes)];
  const boxesEnd = boxes.at(-1)?.end ?? bytes.length;
  const copy = blank(bytes, {
    drop: [
      ...items.filter(isMetadata).flatMap(({ extents }) => extents),
      ...foreign.map(({ body, end }): Range => ({ start: body, end })),
      { start: boxesEnd, end: bytes.length },
    ],
    keep: items.filter((item) => !isMetadata(item)).flatMap(({ extents }) => extents),
  });
  for (const { start } of foreign) copy.set(new TextEncoder().encode("free"), start + 4);
  for (const { type, extents } of items) {
    if (type === "Exif") writeEmpty(copy, { extents, empty: emptyExif });
    if (type === "mime") writeEmpty(copy, { extents, empty: emptyXmp });
  }
  return { bytes: copy, notes: [] };
}

/** User data of a film and its tracks, and descriptions among a picture's properties. */
function textsIn(bytes: Uint8Array, boxes: Box[]): Box[] {
  const inside = (parents: Box[], type: string) =>
    parents.filter((box) => box.type === type).flatMap(({ body, end }) => readBoxes(bytes, body, end));
  const film = inside(boxes, "moov");
  const meta = boxes.filter(({ type }) => type === "meta").flatMap(({ body, end }) => readBoxes(bytes, body + 4, end));
  const properties = inside(inside(meta, "iprp"), "ipco");
  return [
    ...[...film, ...inside(film, "trak")].filter(({ type }) => type === "udta" || type === "meta"),
    ...properties.filter(({ type }) => type === "udes"),
  ];
}

/** ISO/IEC 23008-12, annex A: four bytes to skip none, then a TIFF header and a directory of nothing. */
const emptyExif = [0, 0, 0, 0, 0x49, 0x49, 42, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0];

/** A packet of nothing; a reader that finds the item must find XML there. */
const emptyXmp = [...new TextEncoder().encode('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')];

/** Writes `empty` if the item has one extent that is long enough; otherwise its bytes stay zeros. */
function writeEmpty(copy: Uint8Array, { extents, empty }: { extents: Range[]; empty: number[] }): void {
  const [only, ...others] = extents;
  if (!only || others.length > 0 || only.end - only.start < empty.length) return;
  if (empty === emptyXmp) copy.fill(0x20, only.start, only.end);
  copy.set(empty, only.start);
}
