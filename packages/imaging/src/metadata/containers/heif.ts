import { type Box, readBoxes } from "../../formats/heif/boxes.ts";
import { type HeifItem, readItems } from "../../formats/heif/items.ts";
import { type Blocks, type FreshBlocks, mostBlockBytes } from "../blocks.ts";

/** EXIF and XMP of the items of these types (ISO/IEC 23008-12, annex A). */
export function readHeifBlocks(bytes: Uint8Array): Blocks {
  const items = [...readItems(bytes, readBoxes(bytes, 0, bytes.length)).items.values()];
  const dataOf = (type: string) => {
    const item = items.find((one) => one.type === type && !one.isCut && one.extents.length > 0);
    const size = item?.extents.reduce((sum, { start, end }) => sum + end - start, 0) ?? 0;
    if (!item || size > mostBlockBytes) return undefined;
    return Buffer.concat(item.extents.map(({ start, end }) => bytes.subarray(start, end)));
  };
  const [exif, xmp] = [dataOf("Exif"), dataOf("mime")];
  // exif_tiff_header_offset: the bytes between this field and the TIFF header.
  const tiff = exif && exif.length > 4 ? exif.subarray(4 + exif.readUInt32BE()) : undefined;
  return { ...(tiff ? { exif: tiff } : {}), ...(xmp ? { xmp } : {}) };
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
      const { start, end } = places[i] as Place; // each of them exists
      copy.fill(fill, start, end);
      copy.set(data, start);
    });
    return copy;
  }
  const hasOld = [...items.values()].some(({ type }) => type === "Exif" || type === "mime");
  // The chunk offsets of a movie would change too.
  if (hasOld || boxes.some(({ type }) => type === "moov" || type === "moof")) return undefined;
  return addItems(bytes, { boxes, items, primaryId, wanted });
}

type Place = { start: number; end: number };

function placeIn(items: HeifItem[], { type, length }: { type: string; length: number }): Place | undefined {
  const [only, ...others] = items.filter((item) => item.type === type).flatMap(({ extents }) => extents);
  return only && others.length === 0 && only.end - only.start >= length ? only : undefined;
}

type Wanted = { type: string; data: Uint8Array };
type Adding = { boxes: Box[]; items: Map<number, HeifItem>; primaryId: number; wanted: Wanted[] };

/**
 * Adds items with their data in an `mdat` box at the end (ISO/IEC 14496-12, 8.11). Undefined for a layout that encoders
 * do not write.
 */
function addItems(bytes: Uint8Array, { boxes, items, primaryId, wanted }: Adding): Uint8Array | undefined {
  const file = Buffer.from(bytes);
  const meta = boxes.find(({ type }) => type === "meta");
  const end = boxes.at(-1)?.end;
  const first = Math.max(0, ...items.keys()) + 1;
  // A last box of size 0 extends to the end of the file, and would include what is appended.
  const isOpen = file.readUInt32BE(boxes.at(-1)?.start ?? 0) === 0;
  if (!meta || isOpen || end !== bytes.length || primaryId > 0xffff || first + wanted.length > 0xffff) return undefined;
  const inMeta = readBoxes(bytes, meta.body + 4, meta.end);
  const find = (wantedType: string) => inMeta.find(({ type }) => type === wantedType);
  const [iinf, iloc, iref] = [find("iinf"), find("iloc"), find("iref")];
  if (!iinf || !iloc) return undefined;
  const bodyOf = ({ body, end: bodyEnd }: Box) => Buffer.from(file.subarray(body, bodyEnd));
  const listed = withEntries(
    bodyOf(iinf),
    wanted.map(({ type }, i) => entryOf(first + i, type)),
  );
  const referred = wanted.map((_, i) => box("cdsc", shorts(first + i, 1, primaryId)));
  const references = iref ? withReferences(bodyOf(iref), referred) : Buffer.concat([Buffer.alloc(4), ...referred]);
  const lengths = wanted.map(({ data }) => data.length);
  const located = (shift: number, dataAt: number) => withLocations(bodyOf(iloc), { shift, first, lengths, dataAt });
  const body = (shift: number, dataAt: number): Buffer | undefined => {
    const locations = located(shift, dataAt);
    if (!locations || !listed || !references) return undefined;
    const parts = inMeta.map((one) => {
      if (one === iinf) return box("iinf", listed);
      if (one === iloc) return box("iloc", locations);
      if (one === iref) return box("iref", references);
      return file.subarray(one.start, one.end);
    });
    const head = file.subarray(meta.body, meta.body + 4);
    return box("meta", Buffer.concat([head, ...parts, ...(iref ? [] : [box("iref", references)])]));
  };
  const shift = (body(0, 0)?.length ?? 0) - (meta.end - meta.start);
  const made = body(shift, bytes.length + shift + 8);
  if (!made || shift < 0) return undefined;
  const data = box("mdat", Buffer.concat(wanted.map((one) => one.data)));
  return Buffer.concat([file.subarray(0, meta.start), made, file.subarray(meta.end), data]);
}

function box(type: string, body: Uint8Array): Buffer {
  const whole = Buffer.alloc(8 + body.length);
  whole.writeUInt32BE(whole.length);
  whole.write(type, 4, "latin1");
  whole.set(body, 8);
  return whole;
}

function shorts(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [i, value] of values.entries()) bytes.writeUInt16BE(value, i * 2);
  return bytes;
}

/** An `infe` of version 2: id, protection index, type, name, and for `mime` its content type. */
const entryOf = (id: number, type: string) =>
  box(
    "infe",
    Buffer.concat([
      Buffer.from([2, 0, 0, 0]),
      shorts(id, 0),
      Buffer.from(type === "mime" ? "mime\0application/rdf+xml\0" : `${type}\0`, "latin1"),
    ]),
  );

function withEntries(body: Buffer, entries: Buffer[]): Buffer | undefined {
  if (body[0] !== 0) return undefined;
  body.writeUInt16BE(body.readUInt16BE(4) + entries.length, 4);
  return Buffer.concat([body, ...entries]);
}

const withReferences = (body: Buffer, references: Buffer[]): Buffer | undefined =>
  body[0] === 0 ? Buffer.concat([body, ...references]) : undefined;

type Locations = { shift: number; first: number; lengths: number[]; dataAt: number };

/**
 * The `iloc` with its file offsets shifted, and an entry for each new item. Offsets and lengths of 4 bytes, as encoders
 * write them.
 */
function withLocations(body: Buffer, { shift, first, lengths, dataAt }: Locations): Buffer | undefined {
  const version = body[0] as number;
  const [offsetSize, lengthSize, baseSize] = [
    (body[4] as number) >> 4,
    (body[4] as number) & 15,
    (body[5] as number) >> 4,
  ];
  const indexSize = version > 0 ? (body[5] as number) & 15 : 0;
  if (version > 1 || offsetSize !== 4 || lengthSize !== 4 || indexSize !== 0) return undefined;
  if (baseSize !== 0 && baseSize !== 4) return undefined;
  const count = body.readUInt16BE(6);
  let at = 8;
  for (let i = 0; i < count; i++) {
    const method = version === 1 ? body.readUInt16BE(at + 2) & 15 : 0;
    at += version === 1 ? 6 : 4;
    const base = baseSize === 4 ? body.readUInt32BE(at) : 0;
    // Shifted once: in the base offset that all extents of the item share, or in each of them.
    if (method === 0 && base > 0) body.writeUInt32BE(base + shift, at);
    at += baseSize;
    const extents = body.readUInt16BE(at);
    at += 2;
    for (let k = 0; k < extents; k++, at += 8)
      if (method === 0 && base === 0) body.writeUInt32BE(body.readUInt32BE(at) + shift, at);
  }
  body.writeUInt16BE(count + lengths.length, 6);
  let dataFrom = dataAt;
  const rows = lengths.map((length, i) => {
    const row = Buffer.alloc((version === 1 ? 6 : 4) + baseSize + 2 + 8);
    row.writeUInt16BE(first + i);
    row.writeUInt16BE(1, row.length - 10);
    row.writeUInt32BE(dataFrom, row.length - 8);
    row.writeUInt32BE(length, row.length - 4);
    dataFrom += length;
    return row;
  });
  return Buffer.concat([body.subarray(0, at), ...rows]);
}
