/** A box of the ISO base media file format (ISO/IEC 14496-12): offsets of its start, its end, and its body. */
export type Box = { type: string; start: number; body: number; end: number };

/** The boxes between two offsets. A box with an invalid size ends the list. */
export function readBoxes(bytes: Uint8Array, start: number, end: number): Box[] {
  const view = viewOf(bytes);
  const boxes: Box[] = [];
  for (let at = start; at + 8 <= end; ) {
    const short = view.getUint32(at);
    const isLong = short === 1 && at + 16 <= end;
    const size = isLong ? Number(view.getBigUint64(at + 8)) : short === 0 ? end - at : short;
    const body = at + (isLong ? 16 : 8);
    if (size < body - at || at + size > end) break;
    boxes.push({ type: fourCharacters(bytes, at + 4), start: at, body, end: at + size });
    at += size;
  }
  return boxes;
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export const fourCharacters = (bytes: Uint8Array, at: number) => String.fromCharCode(...bytes.subarray(at, at + 4));

/** A sequential reader of integers within a box. @throws RangeError past its end, as a DataView does */
export function reader(bytes: Uint8Array, { body, end }: Pick<Box, "body" | "end">) {
  const view = new DataView(bytes.buffer, bytes.byteOffset + body, end - body);
  let at = 0;
  /** A big-endian integer of 0, 1, 2, 3, 4 or 8 bytes; 0 for a size of 0. */
  const number = (size: number): number => {
    let value = 0;
    for (let i = 0; i < size; i++) value = value * 256 + view.getUint8(at++);
    return value;
  };
  return { number, offset: () => body + at, left: () => end - body - at };
}

/** An ISO base media box of the pieces. */
export function box(type: string, ...pieces: (Uint8Array | number[])[]): Buffer {
  const body = Buffer.concat(pieces.map((piece) => (Array.isArray(piece) ? Buffer.from(piece) : piece)));
  return Buffer.concat([uint(4, 8 + body.length), Buffer.from(type, "latin1"), body]);
}

/** A big-endian integer. */
export function uint(bytes: number, value: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
}
