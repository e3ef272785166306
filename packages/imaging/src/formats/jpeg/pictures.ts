import { allSegments, isFrame, markers, xmpExtensionMark, xmpMark } from "@tintype/codecs/jpeg";
import { readDirectory, tiffLayout } from "../../raster/tiff-directory.ts";
import { startsWith } from "./metadata.ts";

/** A picture in a file, from SOI to the end of EOI, with its APPn segments. */
type JpegPicture = {
  start: number;
  end: number;
  applicationData: { marker: number; data: Uint8Array }[];
};

/** `isPreview`: a large thumbnail by the MP index. `semantic`: Item:Semantic in Google's Container:Directory. */
type FurtherPicture = JpegPicture & { isPreview: boolean; semantic: string | undefined };

/** `tail`: the offset of trailing data that belongs to no picture and is not padding. */
type JpegPictures = { first: JpegPicture; others: FurtherPicture[]; tail: number | undefined };

const { app0, app1, app2, app15, eoi } = markers;
export const isoMark = "urn:iso:std:iso:ts:21496:-1\0";
const mpfMark = "MPF\0";

/** The primary picture of a JPEG file and the pictures appended to it, by their markers; nothing is decoded. */
export function readJpegPictures(bytes: Uint8Array): JpegPictures {
  const first = readPicture(bytes, 0);
  const previews = previewPlaces(bytes, first);
  const semantics = semanticsIn(xmpOf(first));
  const others: FurtherPicture[] = [];
  const motion = motionStart(bytes, first.end) ?? bytes.length;
  let at = first.end;
  for (let found = nextStart(bytes, at); found < motion && others.length < mostPictures; found = nextStart(bytes, at)) {
    if (!isBlank(bytes.subarray(at, found))) break;
    const { hasFrame, ...picture } = readPicture(bytes, found);
    if (!hasFrame) break;
    at = picture.end;
    others.push({ ...picture, isPreview: previews.has(found), semantic: semantics[others.length] });
  }
  return { first, others, tail: isBlank(bytes.subarray(at)) ? undefined : at };
}

/** The XMP packet and its extensions, unchanged. */
export const xmpOf = ({ applicationData }: JpegPicture): string =>
  applicationData
    .filter(({ marker, data }) => marker === app1 && (startsWith(data, xmpMark) || startsWith(data, xmpExtensionMark)))
    .map(({ data }) => Buffer.from(data).toString("latin1"))
    .join("");

/** The APP2 data of ISO 21496-1 after its identifier. */
export const isoOf = ({ applicationData }: JpegPicture): Uint8Array | undefined =>
  applicationData
    .find(({ marker, data }) => marker === app2 && startsWith(data, isoMark))
    ?.data.subarray(isoMark.length);

/** The offset of an appended video, by its `ftyp` box (ISO/IEC 14496-12, 4.3). */
export function motionStart(bytes: Uint8Array, from: number): number | undefined {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = all.indexOf("ftyp", from + 4); at >= 0; at = all.indexOf("ftyp", at + 1)) {
    const size = all.readUInt32BE(at - 4);
    if (size >= 16 && size <= mostBrandBytes && size % 4 === 0) return at - 4;
  }
  return undefined;
}

const mostBrandBytes = 512;

/** A hostile file of segments of 4 bytes, or of pictures of 11 bytes, would exhaust memory with their descriptions. */
const [mostSegments, mostPictures] = [2000, 200];

function readPicture(bytes: Uint8Array, start: number): JpegPicture & { hasFrame: boolean } {
  const applicationData: JpegPicture["applicationData"] = [];
  let hasFrame = false;
  for (const { marker, data, end } of allSegments(bytes, start)) {
    if (marker === eoi) return { start, end, applicationData, hasFrame };
    if (isFrame(marker)) hasFrame = true;
    if (marker >= app0 && marker <= app15 && applicationData.length < mostSegments)
      applicationData.push({ marker, data });
  }
  return { start, end: bytes.length, applicationData, hasFrame };
}

function nextStart(bytes: Uint8Array, from: number): number {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(Uint8Array.of(0xff, 0xd8, 0xff), from);
  return at < 0 ? Number.POSITIVE_INFINITY : at;
}

/** Up to this many bytes, or any number of zeros, count as padding. */
const mostPaddingBytes = 64;
const isBlank = (bytes: Uint8Array) => bytes.length <= mostPaddingBytes || bytes.every((byte) => byte === 0);

/**
 * The values of `Item:Semantic`, as attributes or elements, in file order, without the primary picture and the video.
 */
const semanticsIn = (xmp: string): string[] =>
  [...xmp.matchAll(/:Semantic\s*(?:=\s*["']|>\s*)(\w+)/g)]
    .map(([, semantic = ""]) => semantic)
    .filter((semantic) => semantic !== "Primary" && semantic !== "MotionPhoto");

const imageListTag = 0xb002;
/** CIPA DC-007, 5.2.3.3: MP types 0x010001 and 0x010002 are large thumbnails. This is their high byte. */
const largeThumbnail = 0x01;

/** The file offsets of large thumbnails by the MP index IFD (CIPA DC-007, 5.2). */
function previewPlaces(bytes: Uint8Array, { applicationData }: JpegPicture): Set<number> {
  const places = new Set<number>();
  const data = applicationData.find((one) => one.marker === app2 && startsWith(one.data, mpfMark))?.data;
  if (!data) return places;
  const index = data.subarray(mpfMark.length);
  const headerAt = index.byteOffset - bytes.byteOffset;
  try {
    const layout = tiffLayout(index);
    const { view, isLittle } = layout;
    for (const { tag, values } of readDirectory(layout, layout.first).entries)
      for (let at = values.start; tag === imageListTag && at + 16 <= values.end; at += 16)
        if (((view.getUint32(at, isLittle) >> 16) & 0xff) === largeThumbnail)
          places.add(headerAt + view.getUint32(at + 8, isLittle));
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause; // truncated index
  }
  return places;
}
