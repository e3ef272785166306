import { type Box, fourCharacters, readBoxes, reader } from "./boxes.ts";

/** A contiguous part of an item's data in the file. */
type Extent = { start: number; end: number };

export type HeifItem = {
  id: number;
  /** "hvc1", "av01", "grid", "Exif", "mime"… */
  type: string;
  isHidden: boolean;
  /** The offset of the byte whose lowest bit is the hidden flag. */
  flagsAt: number;
  /** Its associated properties: size, colour, rotation. */
  properties: Box[];
  /**
   * Ids of the items it references, by reference type: "dimg" its tiles, "thmb" the picture of which it is a thumbnail.
   */
  references: Map<string, number[]>;
  extents: Extent[];
  /** An extent is outside the file. */
  isCut: boolean;
};

/**
 * Lists the items of a HEIF file.
 * @throws RangeError when a box reaches past its end
 */
export function readItems(bytes: Uint8Array, boxes: Box[]): { items: Map<number, HeifItem>; primaryId: number } {
  const items = new Map<number, HeifItem>();
  const meta = boxes.find(({ type }) => type === "meta");
  if (!meta) return { items, primaryId: 0 };
  const inMeta = readBoxes(bytes, meta.body + 4, meta.end);
  const find = (type: string) => inMeta.find((box) => box.type === type);

  for (const item of readInformation(bytes, find("iinf"))) items.set(item.id, item);
  readLocations(bytes, { iloc: find("iloc"), idat: find("idat"), items });
  readReferences(bytes, { iref: find("iref"), items });
  readProperties(bytes, { iprp: find("iprp"), items });
  const pitm = find("pitm");
  return { items, primaryId: pitm ? readPrimary(bytes, pitm) : 0 };
}

/** The header of a FullBox: version, and flags of three bytes. */
function versioned(bytes: Uint8Array, box: Box) {
  const at = reader(bytes, box);
  return { ...at, version: at.number(1), flags: at.number(3) };
}

function readPrimary(bytes: Uint8Array, pitm: Box): number {
  const { number, version } = versioned(bytes, pitm);
  return number(version === 0 ? 2 : 4);
}

function readInformation(bytes: Uint8Array, iinf: Box | undefined): HeifItem[] {
  if (!iinf) return [];
  const { number, version, offset } = versioned(bytes, iinf);
  number(version === 0 ? 2 : 4); // the entry count, which the boxes repeat
  return readBoxes(bytes, offset(), iinf.end)
    .filter(({ type }) => type === "infe")
    .map((infe) => {
      const entry = versioned(bytes, infe);
      const id = entry.number(entry.version >= 3 ? 4 : 2);
      entry.number(2); // item_protection_index
      const type = entry.version >= 2 ? fourCharacters(bytes, entry.offset()) : "";
      const isHidden = (entry.flags & 1) === 1;
      return {
        id,
        type,
        isHidden,
        flagsAt: infe.body + 3,
        properties: [],
        references: new Map(),
        extents: [],
        isCut: false,
      };
    });
}

/** An extent may be empty, and an item may have 65,535 of them. */
const maxExtents = 100_000;

type Locations = { iloc: Box | undefined; idat: Box | undefined; items: Map<number, HeifItem> };

function readLocations(bytes: Uint8Array, { iloc, idat, items }: Locations): void {
  if (!iloc) return;
  const { number, version } = versioned(bytes, iloc);
  const sizes = number(2);
  const [offsetSize, lengthSize, baseSize] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  const indexSize = version > 0 ? sizes & 15 : 0;
  const count = number(version < 2 ? 2 : 4);
  let read = 0;
  for (let i = 0; i < count; i++) {
    const item = items.get(number(version < 2 ? 2 : 4));
    const method = version > 0 ? number(2) & 15 : 0;
    number(2); // data_reference_index
    const base = number(baseSize);
    const extents = number(2);
    read += extents;
    if (read > maxExtents) throw new RangeError("More extents than any picture has");
    for (let k = 0; k < extents; k++) {
      number(indexSize);
      // Offsets are relative to the file, or with construction method 1 to `idat`.
      const start = base + number(offsetSize) + (method === 1 ? (idat?.body ?? 0) : 0);
      const length = number(lengthSize);
      const end = length === 0 ? bytes.length : start + length; // 0 means to the end of the file
      if (!item || method > 1) continue;
      if (end > bytes.length || start > end) item.isCut = true;
      else if (start < end) item.extents.push({ start, end });
    }
  }
}

function readReferences(bytes: Uint8Array, { iref, items }: { iref: Box | undefined; items: Map<number, HeifItem> }) {
  if (!iref) return;
  const { version, offset } = versioned(bytes, iref);
  const idSize = version === 0 ? 2 : 4;
  for (const box of readBoxes(bytes, offset(), iref.end)) {
    const { number } = reader(bytes, box);
    const from = items.get(number(idSize));
    const to = Array.from({ length: number(2) }, () => number(idSize));
    if (!from) continue;
    const earlier = from.references.get(box.type) ?? [];
    from.references.set(box.type, earlier);
    for (const id of to) earlier.push(id); // copied each time, 700,000 boxes of one item took hours
  }
}

function readProperties(bytes: Uint8Array, { iprp, items }: { iprp: Box | undefined; items: Map<number, HeifItem> }) {
  if (!iprp) return;
  const inside = readBoxes(bytes, iprp.body, iprp.end);
  const ipco = inside.find(({ type }) => type === "ipco");
  const properties = ipco ? readBoxes(bytes, ipco.body, ipco.end) : [];
  for (const ipma of inside.filter(({ type }) => type === "ipma")) {
    const { number, version, flags } = versioned(bytes, ipma);
    const count = number(4);
    for (let i = 0; i < count; i++) {
      const item = items.get(number(version < 1 ? 2 : 4));
      const associations = number(1);
      for (let k = 0; k < associations; k++) {
        // The top bit marks an essential property; indices are 1-based.
        const index = flags & 1 ? number(2) & 0x7fff : number(1) & 0x7f;
        const box = properties[index - 1];
        if (box) item?.properties.push(box);
      }
    }
  }
}
