import { blank, type Range } from "../../raster/blank-ranges.ts";
import type { Stripped } from "../stripped.ts";
import { type Box, readBoxes } from "./boxes.ts";
import { type HeifItem, readItems } from "./items.ts";

/** The top-level boxes of pictures and videos; any other is application data. */
const keptAtTop = new Set(["ftyp", "styp", "meta", "mdat", "moov", "moof", "mfra", "sidx"]);
/** Items that are not images: EXIF, XMP and any other data by type. */
const metadataItems = new Set(["Exif", "mime", "uri "]);

/**
 * A HEIC or AVIF with blank EXIF, XMP, texts and application boxes. No offset changes and the coded pixels are
 * untouched: an empty EXIF block overwrites the EXIF, a `free` box a box.
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

/** User data of a movie and its tracks, and user descriptions among a picture's properties. */
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

/** ISO/IEC 23008-12, annex A: an offset of zero in four bytes, then a TIFF header and an empty directory. */
const emptyExif = [0, 0, 0, 0, 0x49, 0x49, 42, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0];

/** An empty packet: a reader that finds the item expects XML. */
const emptyXmp = [...new TextEncoder().encode('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')];

/** Writes `empty` if the item has one extent that is long enough; otherwise its bytes stay zero. */
function writeEmpty(copy: Uint8Array, { extents, empty }: { extents: Range[]; empty: number[] }): void {
  const [only, ...others] = extents;
  if (!only || others.length > 0 || only.end - only.start < empty.length) return;
  if (empty === emptyXmp) copy.fill(0x20, only.start, only.end);
  copy.set(empty, only.start);
}
