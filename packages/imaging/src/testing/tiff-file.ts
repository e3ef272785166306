import { fieldTypes, typeBytes } from "../raster/tiff-directory.ts";
import { writeDirectory } from "../raster/write-directory.ts";

const types = { ...fieldTypes, float: 11, double: 12 } as const;

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
  ];
  const entries = all.map((one) => ({ tag: one.tag, type: types[one.type], bytes: encodeValues(one) }));
  const head = Buffer.alloc(8);
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  head.write(isLittle ? "II" : "MM", "latin1");
  view.setUint16(2, 42, isLittle);
  view.setUint32(4, at, isLittle);
  return Buffer.concat([head, ...parts, writeDirectory(entries, { at, isLittle, isBig: false })]);
}

/** In little-endian order. */
function encodeValues({ type, values }: TiffTag): Buffer {
  const size = typeBytes[types[type]] ?? 0;
  const bytes = Buffer.alloc(values.length * size);
  for (let i = 0; i < values.length; i++) {
    const [at, value] = [i * size, values[i] ?? 0];
    if (type === "float") bytes.writeFloatLE(value, at);
    else if (type === "double") bytes.writeDoubleLE(value, at);
    else if (type === "rational") {
      const hasValue = Number.isFinite(value); // Infinity: 1/0
      bytes.writeUInt32LE(hasValue ? Math.round(value * 1e6) : 1, at);
      bytes.writeUInt32LE(hasValue ? 1e6 : 0, at + 4);
    } else bytes.writeUIntLE(value, at, size);
  }
  return bytes;
}
