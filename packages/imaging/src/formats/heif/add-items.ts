import { type Box, box, readBoxes, uint } from "./boxes.ts";
import { readItems } from "./items.ts";

/** An item to add. Each property is a box, marked essential or not. */
type NewItem = {
  type: string;
  data: Uint8Array;
  isHidden?: boolean;
  references?: readonly (readonly [kind: string, ids: readonly number[]])[];
  properties?: readonly { box: Uint8Array; isEssential?: boolean }[];
};

type Additions = {
  items: readonly NewItem[];
  /** Ids in the order of preference: an `altr` group (ISO/IEC 23008-12, 6.8.3). */
  alternatives?: readonly number[];
  /** A compatible brand of the file. */
  brand?: string;
};

/** The id of the first item that is added to a file; the others follow it. */
export function firstNewId(bytes: Uint8Array): number {
  const { items } = readItems(bytes, readBoxes(bytes, 0, bytes.length));
  return Math.max(0, ...items.keys()) + 1;
}

/**
 * Adds items with their data in an `mdat` box at the end (ISO/IEC 14496-12, 8.11). Undefined for a layout that
 * encoders do not write.
 */
export function addItems(bytes: Uint8Array, { items, alternatives, brand }: Additions): Buffer | undefined {
  const file = Buffer.from(bytes);
  const boxes = readBoxes(file, 0, file.length);
  const [ftyp, meta] = ["ftyp", "meta"].map((wanted) => boxes.find(({ type }) => type === wanted));
  const first = firstNewId(file);
  // A last box of size 0 extends to the end of the file, and would include what is appended.
  const isOpen = file.readUInt32BE(boxes.at(-1)?.start ?? 0) === 0;
  if (!ftyp || !meta || ftyp.start > meta.start || isOpen || boxes.at(-1)?.end !== file.length) return undefined;
  // The chunk offsets of a movie would have to be shifted too.
  if (boxes.some(({ type }) => type === "moov" || type === "moof")) return undefined;
  const inMeta = readBoxes(file, meta.body + 4, meta.end);
  const find = (wanted: string) => inMeta.find(({ type }) => type === wanted);
  const bodyOf = (one: Box | undefined) => one && Buffer.from(file.subarray(one.body, one.end));
  const [iinf, iloc, iref, iprp] = [find("iinf"), find("iloc"), find("iref"), find("iprp")].map(bodyOf);
  if (!iinf || !iloc || first + items.length > 0xffff || (alternatives && find("grpl"))) return undefined;
  const lengths = items.map(({ data }) => data.length);
  const changed = {
    iinf: withEntries(iinf, items.map(entryOf(first))),
    iref: withReferences(iref ?? Buffer.alloc(4), items.flatMap(referencesOf(first))),
    iprp: items.some(({ properties }) => properties) ? iprp && withProperties(iprp, { items, first }) : iprp,
  };
  const { iinf: listed, iref: referred, iprp: described } = changed;
  if (!listed || !referred || (iprp && !described)) return undefined;
  const groups = alternatives ? [box("grpl", altr(alternatives, first + items.length))] : [];
  const made = (shift: number, dataAt: number): Buffer | undefined => {
    const located = withLocations(Buffer.from(iloc), { shift, first, lengths, dataAt });
    if (!located) return undefined;
    const bodies: Record<string, Buffer | undefined> = { iinf: listed, iloc: located, iref: referred, iprp: described };
    const kept = inMeta.map((one) => box(one.type, bodies[one.type] ?? file.subarray(one.body, one.end)));
    const added = [...(iref ? [] : [box("iref", referred)]), ...groups];
    return box("meta", file.subarray(meta.body, meta.body + 4), ...kept, ...added);
  };
  const branded = brand ? withBrand(file.subarray(ftyp.start, ftyp.end), brand) : file.subarray(ftyp.start, ftyp.end);
  const grown = branded.length - (ftyp.end - ftyp.start);
  const shift = grown + (made(0, 0)?.length ?? 0) - (meta.end - meta.start);
  const whole = made(shift, file.length + shift + 8);
  if (!whole || shift < 0) return undefined;
  const data = box("mdat", ...items.map((one) => one.data));
  const between = file.subarray(ftyp.end, meta.start);
  return Buffer.concat([file.subarray(0, ftyp.start), branded, between, whole, file.subarray(meta.end), data]);
}

const shorts = (...values: number[]): Buffer => Buffer.concat(values.map((value) => uint(2, value)));

/** An `infe` of version 2: hidden flag, id, protection index, type, name, and for `mime` its content type. */
const entryOf =
  (first: number) =>
  ({ type, isHidden }: NewItem, i: number): Buffer =>
    box(
      "infe",
      [2, 0, 0, isHidden ? 1 : 0],
      shorts(first + i, 0),
      Buffer.from(type === "mime" ? "mime\0application/rdf+xml\0" : `${type}\0`, "latin1"),
    );

function withEntries(body: Buffer, entries: Buffer[]): Buffer | undefined {
  if (body[0] !== 0) return undefined;
  body.writeUInt16BE(body.readUInt16BE(4) + entries.length, 4);
  return Buffer.concat([body, ...entries]);
}

const referencesOf =
  (first: number) =>
  ({ references = [] }: NewItem, i: number): Buffer[] =>
    references.map(([kind, ids]) => box(kind, shorts(first + i, ids.length, ...ids)));

const withReferences = (body: Buffer, references: Buffer[]): Buffer | undefined =>
  body[0] === 0 ? Buffer.concat([body, ...references]) : undefined;

/** An entity group with an id of its own (ISO/IEC 23008-12, 9.4). */
const altr = (ids: readonly number[], groupId: number): Buffer =>
  box("altr", uint(4, 0), uint(4, groupId), uint(4, ids.length), ...ids.map((id) => uint(4, id)));

/** The `iprp` with the properties at the end of `ipco`, and their associations in its only `ipma`. */
function withProperties(
  body: Buffer,
  { items, first }: { items: readonly NewItem[]; first: number },
): Buffer | undefined {
  const [ipco, ipma, ...others] = readBoxes(body, 0, body.length);
  if (ipco?.type !== "ipco" || ipma?.type !== "ipma" || others.length > 0 || body[ipma.body] !== 0) return undefined;
  let last = readBoxes(body, ipco.body, ipco.end).length;
  const indexBytes = (body[ipma.body + 3] as number) & 1 ? 2 : 1;
  const maxProperties = indexBytes === 2 ? 0x7fff : 0x7f;
  const described = items.flatMap(({ properties }, i) => (properties ? [{ id: first + i, properties }] : []));
  const rows = described.map(({ id, properties }) => {
    const indices = properties.map(({ isEssential }) =>
      uint(indexBytes, ++last + (isEssential ? maxProperties + 1 : 0)),
    );
    return Buffer.concat([shorts(id), uint(1, indices.length), ...indices]);
  });
  if (last > maxProperties) return undefined;
  const associations = Buffer.from(body.subarray(ipma.body, ipma.end));
  associations.writeUInt32BE(associations.readUInt32BE(4) + rows.length, 4);
  const boxes = described.flatMap(({ properties }) => properties.map((one) => one.box));
  return Buffer.concat([box("ipco", body.subarray(ipco.body, ipco.end), ...boxes), box("ipma", associations, ...rows)]);
}

function withBrand(ftyp: Buffer, brand: string): Buffer {
  const body = ftyp.subarray(8);
  const hasIt = readBrands(body).includes(brand);
  return hasIt ? ftyp : box("ftyp", body, Buffer.from(brand, "latin1"));
}

/** The compatible brands, after the major brand and its version. */
const readBrands = (body: Buffer): string[] => body.toString("latin1", 8).match(/.{4}/gs) ?? [];

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
