import type { ReadBytes } from "../../formats/byte-window.ts";
import { exifOrientation } from "../../formats/exif.ts";
import { type Blocks, type FreshBlocks, mostBlockBytes } from "../blocks.ts";
import { iptcAmongResources } from "../iptc.ts";

const [startOfScan, endOfImage] = [0xda, 0xd9];
const [app0, app1, app13] = [0xe0, 0xe1, 0xed];
const exifMark = "Exif\0\0";
const xmpMark = "http://ns.adobe.com/xap/1.0/\0";
const photoshopMark = "Photoshop 3.0\0";
const mostSegments = 2000;

/** The marker segments before the first scan (ITU-T T.81, B.1.1). */
async function* segmentsOf(read: ReadBytes): AsyncGenerator<{ marker: number; start: number; end: number }> {
  for (let at = 2, count = 0; count < mostSegments; count++) {
    const head = await read(at, 4);
    const marker = head[1];
    if (head.length < 4 || head[0] !== 0xff || marker === startOfScan || marker === endOfImage) return;
    if (marker === 0xff) {
      at += 1; // a fill byte (B.1.1.2)
      continue;
    }
    const length = head.readUInt16BE(2);
    if (length < 2) return;
    yield { marker: marker as number, start: at, end: at + 2 + length };
    at += 2 + length;
  }
}

/**
 * EXIF and XMP of APP1, IPTC of APP13. The further segments of an extended XMP are skipped: no choice keeps their
 * content.
 */
export async function readJpegBlocks(read: ReadBytes): Promise<Blocks> {
  const blocks: Blocks = {};
  const resources: Uint8Array[] = [];
  let resourceBytes = 0;
  for await (const { marker, start, end } of segmentsOf(read)) {
    if (marker !== app1 && marker !== app13) continue;
    const data = Buffer.from(await read(start + 4, end - start - 4));
    const after = (mark: string) =>
      data.toString("latin1", 0, mark.length) === mark ? data.subarray(mark.length) : undefined;
    const exif = marker === app1 ? after(exifMark) : undefined;
    const xmp = marker === app1 ? after(xmpMark) : undefined;
    const photoshop = marker === app13 ? after(photoshopMark) : undefined;
    if (exif) blocks.exif ??= exif;
    if (xmp) blocks.xmp ??= xmp;
    if (photoshop && resourceBytes < mostBlockBytes) {
      resources.push(photoshop);
      resourceBytes += photoshop.length;
    }
  }
  const iptc = iptcAmongResources(Buffer.concat(resources));
  return iptc ? { ...blocks, iptc } : blocks;
}

/** A segment's length includes its own two bytes. */
const mostSegmentBytes = 65_533;

/** The JPEG with the blocks after its JFIF segment; undefined if one is too long for a segment. */
export async function embedInJpeg(
  bytes: Uint8Array,
  blocksFor: (orientation: number) => FreshBlocks,
): Promise<Uint8Array | undefined> {
  const read: ReadBytes = async (at, length) => Buffer.from(bytes.subarray(at, at + length));
  const old: { start: number; end: number }[] = [];
  let insertAt = 2;
  let orientation = 1;
  for await (const { marker, start, end } of segmentsOf(read)) {
    if (marker === app0 && start === insertAt) insertAt = end;
    const data = Buffer.from(bytes.subarray(start + 4, end));
    if (marker !== app1 || data.toString("latin1", 0, exifMark.length) !== exifMark) continue;
    orientation = exifOrientation(data.subarray(exifMark.length));
    old.push({ start, end });
  }
  const { exif, xmp } = blocksFor(orientation);
  const segments = [
    ...(exif ? [Buffer.from(exifMark, "latin1"), exif] : []),
    ...(xmp ? [Buffer.from(xmpMark, "latin1"), xmp] : []),
  ];
  const made: Buffer[] = [];
  for (let i = 0; i < segments.length; i += 2) {
    const data = Buffer.concat(segments.slice(i, i + 2));
    if (data.length > mostSegmentBytes) return undefined;
    made.push(Buffer.from([0xff, app1, (data.length + 2) >> 8, (data.length + 2) & 255]), data);
  }
  const parts: Uint8Array[] = [bytes.subarray(0, insertAt), ...made];
  let at = insertAt;
  for (const { start, end } of old) {
    parts.push(bytes.subarray(at, start));
    at = end;
  }
  return Buffer.concat([...parts, bytes.subarray(at)]);
}
