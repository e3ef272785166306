/** Type codes of TIFF 6.0, section 2. */
const types = { byte: 1, short: 3, long: 4, rational: 5, undefined: 7, float: 11, double: 12 } as const;

export type TiffTag = { tag: number; type: keyof typeof types; values: ArrayLike<number> };

type TiffFile = {
  tags: TiffTag[];
  /** Strips or tiles; the tags with their offsets and lengths are added. */
  segments: Uint8Array[];
  isTiled?: boolean;
  isLittle?: boolean;
  /** Data outside the tags, by the tag that receives its file offset. */
  blocks?: Record<number, Uint8Array[]>;
};

/** Builds a single-page TIFF from its tags. */
export function tiffFile({ tags, segments, isTiled = false, isLittle = true, blocks = {} }: TiffFile): Buffer {
  const parts: Uint8Array[] = [];
  let at = 8;
  const place = (bytes: Uint8Array): number => {
    const start = at;
    const padded = bytes.length % 2 === 0 ? bytes : Buffer.concat([bytes, Uint8Array.of(0)]);
    parts.push(padded);
    at += padded.length;
    return start;
  };
  const all: TiffTag[] = [
    ...tags,
    { tag: isTiled ? 324 : 273, type: "long" as const, values: segments.map(place) },
    { tag: isTiled ? 325 : 279, type: "long" as const, values: segments.map(({ length }) => length) },
    ...Object.entries(blocks).map(
      ([tag, bytes]): TiffTag => ({ tag: Number(tag), type: "long", values: bytes.map(place) }),
    ),
  ].sort((a, b) => a.tag - b.tag);
  const entries = all.map(({ tag, type, values }) => {
    const data = encodeValues({ type, values, isLittle });
    const entry = Buffer.alloc(12);
    writeInteger(entry, { at: 0, size: 2, value: tag, isLittle });
    writeInteger(entry, { at: 2, size: 2, value: types[type], isLittle });
    writeInteger(entry, { at: 4, size: 4, value: values.length, isLittle });
    if (data.length <= 4) data.copy(entry, 8);
    else writeInteger(entry, { at: 8, size: 4, value: place(data), isLittle });
    return entry;
  });
  const head = Buffer.alloc(8);
  head.write(isLittle ? "II" : "MM", "latin1");
  writeInteger(head, { at: 2, size: 2, value: 42, isLittle });
  writeInteger(head, { at: 4, size: 4, value: at, isLittle });
  const count = Buffer.alloc(2);
  writeInteger(count, { at: 0, size: 2, value: entries.length, isLittle });
  return Buffer.concat([head, ...parts, count, ...entries, Buffer.alloc(4)]);
}

type Integer = { at: number; size: number; value: number; isLittle: boolean };

function writeInteger(bytes: Buffer, { at, size, value, isLittle }: Integer): void {
  if (isLittle) bytes.writeUIntLE(value, at, size);
  else bytes.writeUIntBE(value, at, size);
}

function encodeValues({ type, values, isLittle }: Omit<TiffTag, "tag"> & { isLittle: boolean }): Buffer {
  const size = { byte: 1, short: 2, long: 4, rational: 8, undefined: 1, float: 4, double: 8 }[type];
  const bytes = Buffer.alloc(values.length * size);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? 0;
    if (type === "float") view.setFloat32(i * size, value, isLittle);
    else if (type === "double") view.setFloat64(i * size, value, isLittle);
    else if (type === "rational") {
      view.setUint32(i * size, Math.round(value * 1e6), isLittle);
      view.setUint32(i * size + 4, 1e6, isLittle);
    } else writeInteger(bytes, { at: i * size, size, value, isLittle });
  }
  return bytes;
}
