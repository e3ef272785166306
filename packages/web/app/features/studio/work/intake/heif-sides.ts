import type { Sides } from "../../state/frame.ts";

type Box = { type: string; body: number; end: number };

/**
 * The displayed size of the primary item of a HEIC or AVIF, px: of the whole image, not of a tile, and after rotation (`ispe` and `irot`
 * of ISO/IEC 23008-12). Undefined if the file declares none.
 * @throws RangeError if the bytes are truncated
 */
export function heifSides(bytes: Uint8Array): Sides | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const inside = (box: Box | undefined, type: string, skip = 0) =>
    box && boxesOf(view, box.body + skip, box.end).find((one) => one.type === type);
  const meta = boxesOf(view, 0, bytes.length).find(({ type }) => type === "meta");
  const primary = inside(meta, "pitm", 4);
  const properties = inside(meta, "iprp", 4);
  const container = inside(properties, "ipco");
  const associations = inside(properties, "ipma");
  if (!primary || !container || !associations) return undefined;
  const id = view.getUint8(primary.body) === 0 ? view.getUint16(primary.body + 4) : view.getUint32(primary.body + 4);
  const all = boxesOf(view, container.body, container.end);
  const itemProperties = propertiesOf(view, associations, id).flatMap((index) => all[index - 1] ?? []);
  const size = itemProperties.find(({ type }) => type === "ispe");
  if (!size) return undefined;
  const [width, height] = [view.getUint32(size.body + 4), view.getUint32(size.body + 8)];
  const turn = itemProperties.find(({ type }) => type === "irot");
  const isOnItsSide = turn !== undefined && view.getUint8(turn.body) % 2 === 1; // quarter turns
  return isOnItsSide ? { widthPx: height, heightPx: width } : { widthPx: width, heightPx: height };
}

function boxesOf(view: DataView, start: number, end: number): Box[] {
  const boxes: Box[] = [];
  for (let at = start; at + 8 <= end; ) {
    const short = view.getUint32(at);
    const size = short === 1 ? Number(view.getBigUint64(at + 8)) : short === 0 ? end - at : short;
    const body = at + (short === 1 ? 16 : 8);
    if (at + size < body) break;
    const type = String.fromCharCode(...[4, 5, 6, 7].map((offset) => view.getUint8(at + offset)));
    boxes.push({ type, body, end: Math.min(end, at + size) });
    at += size;
  }
  return boxes;
}

/** The 1-based indices of an item's itemProperties. */
function propertiesOf(view: DataView, { body, end }: Box, id: number): number[] {
  const [idBytes, indexBytes] = [view.getUint8(body) === 0 ? 2 : 4, view.getUint8(body + 3) & 1 ? 2 : 1];
  for (let at = body + 8; at < end; ) {
    const item = idBytes === 2 ? view.getUint16(at) : view.getUint32(at);
    const count = view.getUint8(at + idBytes);
    const first = at + idBytes + 1;
    if (item === id)
      return Array.from({ length: count }, (_, index) =>
        indexBytes === 2 ? view.getUint16(first + 2 * index) & 0x7fff : view.getUint8(first + index) & 0x7f,
      );
    at = first + count * indexBytes;
  }
  return [];
}
