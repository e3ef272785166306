/** A box of the ISO base media format (ISO/IEC 14496-12): its start, its end, and the start of its body. */
export type Box = { type: string; start: number; body: number; end: number };

/** The boxes that stand between two offsets. One whose size makes no sense ends the list. */
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

/** Reads numbers one after the other within a box. @throws RangeError past its end, as a DataView does */
export function reader(bytes: Uint8Array, { body, end }: Pick<Box, "body" | "end">) {
  const view = new DataView(bytes.buffer, bytes.byteOffset + body, end - body);
  let at = 0;
  /** A number of 0, 1, 2, 3, 4 or 8 bytes, highest first; 0 without bytes. */
  const number = (size: number): number => {
    let value = 0;
    for (let i = 0; i < size; i++) value = value * 256 + view.getUint8(at++);
    return value;
  };
  return { number, offset: () => body + at, left: () => end - body - at };
}
