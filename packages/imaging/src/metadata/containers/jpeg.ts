import type { ReadBytes } from "../../formats/byte-window.ts";
import { exifOrientation } from "../../formats/exif.ts";
import { startsWith } from "../../formats/jpeg/metadata.ts";
import {
  exifMark,
  headerSegments,
  markers,
  readHeaderSegments,
  writeSegment,
  xmpExtensionMark,
  xmpMark,
} from "../../formats/jpeg/segments.ts";
import { type Blocks, type FreshBlocks, maxBlockBytes } from "../blocks.ts";
import { iptcAmongResources } from "../iptc.ts";

const { app0, app1, app13 } = markers;
/** The MD5 digest and length of the whole extended packet, and the offset of this part. */
const extensionHeadBytes = 32 + 4 + 4;
const lineFeed = Buffer.from("\n");
const photoshopMark = "Photoshop 3.0\0";

/**
 * EXIF and XMP of APP1, IPTC of APP13. Several XMP packets, and extended XMP (XMP, part 3, 1.1.3.1), are concatenated;
 * the first value of a property takes precedence.
 */
export async function readJpegBlocks(read: ReadBytes): Promise<Blocks> {
  const blocks: Blocks = {};
  const resources: Uint8Array[] = [];
  const packets: Uint8Array[] = [];
  const extensions: { offset: number; part: Uint8Array }[] = [];
  let [resourceBytes, xmpBytes] = [0, 0];
  for await (const { marker, start, end } of readHeaderSegments(read)) {
    if (marker !== app1 && marker !== app13) continue;
    const data = Buffer.from(await read(start + 4, end - start - 4));
    const after = (mark: string) =>
      data.toString("latin1", 0, mark.length) === mark ? data.subarray(mark.length) : undefined;
    const exif = marker === app1 ? after(exifMark) : undefined;
    const xmp = marker === app1 ? after(xmpMark) : undefined;
    const photoshop = marker === app13 ? after(photoshopMark) : undefined;
    if (exif) blocks.exif ??= exif;
    const extension = marker === app1 ? after(xmpExtensionMark) : undefined;
    if (xmp && xmpBytes < maxBlockBytes) packets.push(xmp);
    if (extension && extension.length > extensionHeadBytes && xmpBytes < maxBlockBytes)
      extensions.push({
        offset: extension.readUInt32BE(extensionHeadBytes - 4),
        part: extension.subarray(extensionHeadBytes),
      });
    xmpBytes += xmp?.length ?? extension?.length ?? 0;
    if (photoshop && resourceBytes < maxBlockBytes) {
      resources.push(photoshop);
      resourceBytes += photoshop.length;
    }
  }
  const iptc = iptcAmongResources(Buffer.concat(resources));
  const parts = extensions.sort((a, b) => a.offset - b.offset).map(({ part }) => part);
  const xmp = Buffer.concat([...packets.flatMap((packet) => [packet, lineFeed]), ...parts]);
  return { ...blocks, xmp: xmp.length > 0 ? xmp : undefined, iptc };
}

/** A segment's length includes its own two bytes. */
const maxSegmentBytes = 65_533;

/** The JPEG with the blocks after its JFIF segment; undefined if one is too long for a segment. */
export function embedInJpeg(
  bytes: Uint8Array,
  blocksFor: (orientation: number) => FreshBlocks,
): Uint8Array | undefined {
  const old: { start: number; end: number }[] = [];
  let insertAt = 2;
  let orientation = 1;
  for (const { marker, data, start, end } of headerSegments(bytes)) {
    if (marker === app0 && start === insertAt) insertAt = end;
    if (marker !== app1 || !startsWith(data, exifMark)) continue;
    orientation = exifOrientation(data.subarray(exifMark.length));
    old.push({ start, end });
  }
  const { exif, xmp } = blocksFor(orientation);
  const marked = (mark: string, block: Uint8Array) => Buffer.concat([Buffer.from(mark, "latin1"), block]);
  const made = [...(exif ? [marked(exifMark, exif)] : []), ...(xmp ? [marked(xmpMark, xmp)] : [])];
  if (made.some(({ length }) => length > maxSegmentBytes)) return undefined;
  const parts = [bytes.subarray(0, insertAt), ...made.map((data) => writeSegment(app1, data))];
  let at = insertAt;
  for (const { start, end } of old) {
    parts.push(bytes.subarray(at, start));
    at = end;
  }
  return Buffer.concat([...parts, bytes.subarray(at)]);
}
