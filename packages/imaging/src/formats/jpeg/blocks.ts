import {
  exifMark,
  headerSegments,
  isFrame,
  markers,
  readHeaderSegments,
  writeSegment,
  xmpExtensionMark,
  xmpMark,
} from "@tintype/codecs/jpeg";
import { type Blocks, maxBlockBytes } from "../../metadata/blocks.ts";
import { type Density, densityInJfif, jfifDensity, jfifUnitAt } from "../../metadata/density.ts";
import { iptcAmongResources } from "../../metadata/iptc.ts";
import { type Fields, writeBlocks } from "../../metadata/select.ts";
import type { ReadBytes } from "../byte-window.ts";
import { jpegOrientation, startsWith } from "./metadata.ts";

const { app0, app1, app13, app14 } = markers;
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
    if (marker !== app0 && marker !== app1 && marker !== app13) continue;
    const data = Buffer.from(await read(start + 4, end - start - 4));
    const after = (mark: string) =>
      data.toString("latin1", 0, mark.length) === mark ? data.subarray(mark.length) : undefined;
    if (marker === app0 && startsWith(data, jfifMark)) blocks.density ??= densityInJfif(data);
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

/** The JPEG with the fields after its JFIF segment; undefined if one is too long for a segment. */
export function embedInJpeg(jpeg: Uint8Array, { density, ...fields }: Fields): Uint8Array | undefined {
  const bytes = density ? withJfifDensity(jpeg, density) : jpeg;
  const old: { start: number; end: number }[] = [];
  let insertAt = 2;
  let hasJfif = false;
  for (const { marker, data, start, end } of headerSegments(bytes)) {
    if (marker === app0 && start === insertAt) insertAt = end;
    hasJfif ||= marker === app0 && startsWith(data, jfifMark);
    if (marker !== app1 || !startsWith(data, exifMark)) continue;
    old.push({ start, end });
  }
  const { exif, xmp } = writeBlocks(hasJfif ? fields : { ...fields, density }, jpegOrientation(bytes));
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

const jfifMark = "JFIF\0";
/** JFIF APP0 (ITU-T T.871, 10.1): version 1.01; no thumbnail. */
const jfifSegment = (density: Density) =>
  writeSegment(app0, [...Buffer.from(jfifMark), 1, 1, ...jfifDensity(density), 0, 0]);

/**
 * The density in the JFIF segment. A JPEG without one gets one, unless it would change the colours: to decoders, JFIF
 * means YCbCr, whatever Adobe's segment and the component ids say (libjpeg, default_decompress_parms).
 */
function withJfifDensity(bytes: Uint8Array, density: Density): Uint8Array {
  let isYcbcr = false;
  for (const { marker, data, start } of headerSegments(bytes)) {
    if (marker === app0 && startsWith(data, jfifMark) && data.length >= 12) {
      const copy = Uint8Array.from(bytes);
      copy.set(jfifDensity(density), start + segmentHeadBytes + jfifUnitAt);
      return copy;
    }
    if (marker === app14) return bytes;
    if (isFrame(marker)) isYcbcr = data[5] === 1 || (data[5] === 3 && [6, 9, 12].every((at, i) => data[at] === i + 1));
  }
  return isYcbcr ? Buffer.concat([bytes.subarray(0, 2), jfifSegment(density), bytes.subarray(2)]) : bytes;
}

/** The marker and the length. */
const segmentHeadBytes = 4;
