import { type Blocks, type FreshBlocks, maxBlockBytes } from "../../metadata/blocks.ts";
import type { Range } from "../../raster/blank-ranges.ts";
import { exifAfterOffset } from "../exif.ts";
import { addItems } from "./add-items.ts";
import { readBoxes } from "./boxes.ts";
import { type HeifItem, readItems } from "./items.ts";

/**
 * EXIF and XMP from items of these types (ISO/IEC 23008-12, annex A) that describe the primary image: an auxiliary
 * image, such as a gain map, may have its own.
 */
export function readHeifBlocks(bytes: Uint8Array): Blocks {
  const { items: byId, primaryId } = readItems(bytes, readBoxes(bytes, 0, bytes.length));
  const items = [...byId.values()];
  const describes = ({ references }: HeifItem) => references.get("cdsc") ?? [primaryId];
  const isOfAuxiliary = (item: HeifItem) => describes(item).every((id) => byId.get(id)?.references.has("auxl"));
  const dataOf = (type: string) => {
    const readable = items.filter((one) => one.type === type && !one.isCut && one.extents.length > 0);
    const item =
      readable.find((one) => describes(one).includes(primaryId)) ?? readable.find((one) => !isOfAuxiliary(one));
    const size = item?.extents.reduce((sum, { start, end }) => sum + end - start, 0) ?? 0;
    if (!item || size > maxBlockBytes) return undefined;
    return Buffer.concat(item.extents.map(({ start, end }) => bytes.subarray(start, end)));
  };
  return { exif: exifAfterOffset(dataOf("Exif")), xmp: dataOf("mime") };
}

/**
 * The AVIF with the blocks in its existing metadata items if they fit, or else in new items at its end. Rotation is a
 * property of the item: EXIF orientation is not needed.
 */
export function embedInHeif(bytes: Uint8Array, { exif, xmp }: FreshBlocks): Uint8Array | undefined {
  const boxes = readBoxes(bytes, 0, bytes.length);
  const { items, primaryId } = readItems(bytes, boxes);
  const wanted = [
    ...(exif ? [{ type: "Exif", data: Buffer.concat([Buffer.alloc(4), exif]), fill: 0 }] : []),
    ...(xmp ? [{ type: "mime", data: xmp, fill: 0x20 }] : []),
  ];
  const places = wanted.map(({ type, data }) => placeIn([...items.values()], { type, length: data.length }));
  if (places.every((place) => place !== undefined)) {
    const copy = Uint8Array.from(bytes);
    wanted.forEach(({ data, fill }, i) => {
      const { start, end } = places[i] as Range; // all of them exist
      copy.fill(fill, start, end);
      copy.set(data, start);
    });
    return copy;
  }
  const hasOld = [...items.values()].some(({ type }) => type === "Exif" || type === "mime");
  // The chunk offsets of a movie would have to be shifted too.
  if (hasOld || boxes.some(({ type }) => type === "moov" || type === "moof")) return undefined;
  return addItems(bytes, {
    items: wanted.map(({ type, data }) => ({ type, data, references: [["cdsc", [primaryId]]] })),
  });
}

function placeIn(items: HeifItem[], { type, length }: { type: string; length: number }): Range | undefined {
  const [only, ...others] = items.filter((item) => item.type === type).flatMap(({ extents }) => extents);
  return only && others.length === 0 && only.end - only.start >= length ? only : undefined;
}
