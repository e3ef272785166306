import type { ReadBytes } from "../read-bytes.ts";

/** Marker codes (ITU-T T.81, table B.1). */
export const markers = {
  sof0: 0xc0,
  sof2: 0xc2,
  dht: 0xc4,
  rst0: 0xd0,
  rst7: 0xd7,
  soi: 0xd8,
  eoi: 0xd9,
  sos: 0xda,
  dqt: 0xdb,
  dri: 0xdd,
  app0: 0xe0,
  app1: 0xe1,
  app2: 0xe2,
  app13: 0xed,
  app14: 0xee,
  app15: 0xef,
  com: 0xfe,
} as const;

export const startOfImage = Uint8Array.of(0xff, markers.soi);
export const endOfImage = Uint8Array.of(0xff, markers.eoi);
/** A JPEG of its first and last marker only. */
export const smallestJpeg = Uint8Array.of(...startOfImage, ...endOfImage);

export const exifMark = "Exif\0\0";
export const xmpMark = "http://ns.adobe.com/xap/1.0/\0";
export const xmpExtensionMark = "http://ns.adobe.com/xmp/extension/\0";

/** SOF0 to SOF15. DHT, JPG and DAC have codes in that range. */
export const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** The size in the data of an SOFn segment (B.2.2); undefined if it is truncated. */
export function frameSize(data: Uint8Array): { width: number; height: number } | undefined {
  const [, top, bottom, left, right] = data;
  if (top === undefined || bottom === undefined || left === undefined || right === undefined) return undefined;
  return { width: (left << 8) | right, height: (top << 8) | bottom };
}

/** Markers without a length: SOI, EOI, RSTm and TEM. */
export const isStandalone = (marker: number): boolean =>
  (marker >= markers.rst0 && marker <= markers.eoi) || marker === 0x01;

/** `start`: the offset of the marker, or of the fill bytes before it. `end`: the offset after the segment. */
type Segment = { marker: number; data: Uint8Array; start: number; end: number };

/** A marker segment (B.1.1.4); undefined if there is none at this offset, or if it is truncated. */
export function segmentAt(bytes: Uint8Array, start: number): Segment | undefined {
  if (bytes[start] !== 0xff) return undefined;
  let at = start + 1;
  while (bytes[at] === 0xff) at++; // fill bytes (B.1.1.2)
  const marker = bytes[at];
  if (marker === undefined || marker === 0) return undefined;
  if (isStandalone(marker)) return { marker, data: bytes.subarray(at + 1, at + 1), start, end: at + 1 };
  const length = ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
  const end = at + 1 + length;
  if (length < 2 || end > bytes.length) return undefined;
  return { marker, data: bytes.subarray(at + 3, end), start, end };
}

/** The segments of a JPEG in memory up to its first scan header (SOS), or to the first damage. */
export function* headerSegments(bytes: Uint8Array): Generator<Segment> {
  for (let segment = segmentAt(bytes, 2); segment; segment = segmentAt(bytes, segment.end)) {
    yield segment;
    if (segment.marker === markers.sos || segment.marker === markers.eoi) return;
  }
}

/**
 * All segments of a JPEG in memory after the SOI at `start`; that of a scan ends after its entropy-coded data. Like
 * decoders, it resynchronizes at the next marker.
 */
export function* allSegments(bytes: Uint8Array, start = 0): Generator<Segment> {
  for (let at = start + 2; at < bytes.length; ) {
    const segment = segmentAt(bytes, at);
    at = segment && segment.marker !== markers.sos ? segment.end : nextMarker(bytes, segment?.end ?? at + 1);
    if (segment) yield { ...segment, end: at };
  }
}

/**
 * The offset of the next marker other than RSTm, or of the end. Entropy-coded data has X'00' stuffed after each X'FF'
 * (F.1.2.3).
 */
export function nextMarker(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next === undefined) break;
    if (next !== 0 && next !== 0xff && !(next >= markers.rst0 && next <= markers.rst7)) return at;
  }
  return bytes.length;
}

/** A hostile file has a fill byte or a segment at every offset. */
const mostSteps = 2000;

/** The segments of a file up to its first scan header or damage, read piece by piece, without their data. */
export async function* readHeaderSegments(read: ReadBytes): AsyncGenerator<Omit<Segment, "data">> {
  for (let at = 2, steps = 0; steps < mostSteps; steps++) {
    const head = await read(at, 4);
    const marker = head[1] ?? 0;
    if (head.length < 4 || head[0] !== 0xff || marker === markers.sos || marker === markers.eoi) return;
    const length = ((head[2] ?? 0) << 8) | (head[3] ?? 0);
    if (marker === 0xff)
      at += 1; // a fill byte (B.1.1.2)
    else if (isStandalone(marker)) at += 2;
    else if (length < 2) return;
    else {
      yield { marker, start: at, end: at + 2 + length };
      at += 2 + length;
    }
  }
}

/** Writes a marker segment of at most 65,533 bytes of data. */
export function writeSegment(marker: number, data: Iterable<number> & { length: number }): Uint8Array {
  const length = data.length + 2;
  return Uint8Array.of(0xff, marker, length >> 8, length & 255, ...data);
}
