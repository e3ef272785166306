import { exifMark, markers, writeSegment } from "@tintype/codecs/jpeg";
import type { Raster } from "@tintype/codecs/raster";
import { exifOrientation, straightenedSize } from "@tintype/contract";
import sharp from "sharp";
import { asDecodedPicture, type DecodedPicture, decodePicture } from "../../raster/decoded-picture.ts";
import { readPicture } from "../../raster/read-picture.ts";
import { type Turn, turned } from "../../raster/turned.ts";
import { straightenRaster } from "../../resample/straighten.ts";
import { appleGainMapType, appleHeadroom, convertAppleGainMap } from "../apple-gain-map.ts";
import { encodeAvif } from "../heif/write.ts";
import type { HeifGainMap } from "../heif/write-gain-map.ts";
import { isoOfNumbers } from "../iso-gain-map.ts";
import {
  directoryOf,
  hdrgmSpace,
  type Motion,
  packet,
  splitHead,
  withDescription,
  xmpSegment,
} from "./container-directory.ts";
import { exifSegment, startsWith, stripJpeg } from "./metadata.ts";
import { isoMark, isoOf, readJpegPictures, xmpOf } from "./pictures.ts";
import { encodeJpeg } from "./write.ts";

/**
 * The gain map of an HDR picture: a JPEG without metadata, and the parameters to apply it. `hdrgm`: the XMP parameters
 * of Adobe's Gain Map Specification and Google's Ultra HDR by name, one value or one for each channel. `iso`: the
 * binary metadata of ISO 21496-1, annex C.2.
 */
export type GainMap = { jpeg: Uint8Array; hdrgm?: ReadonlyMap<string, string[]>; iso?: Uint8Array };

/**
 * The first secondary picture of a JPEG file that has gain map metadata, hdrgm or ISO 21496-1; undefined without one.
 */
export function readGainMap(bytes: Uint8Array): GainMap | undefined {
  for (const picture of readJpegPictures(bytes).others) {
    const hdrgm = hdrgmIn(xmpOf(picture));
    const iso = wholeIso(isoOf(picture));
    if (!hdrgm && !iso) continue;
    const { bytes: jpeg } = stripJpeg(bytes.subarray(picture.start, picture.end));
    return { jpeg, ...(hdrgm ? { hdrgm } : {}), ...(iso ? { iso } : {}) };
  }
  return undefined;
}

/**
 * Apple's gain map of a JPEG file, converted to ISO 21496-1 and hdrgm. Undefined if there is none, if its headroom is
 * not given, if it cannot be decoded, or if it has more than `mostPixels`.
 */
export async function readAppleGainMap(
  bytes: Uint8Array,
  { mostPixels }: { mostPixels: number },
): Promise<GainMap | undefined> {
  const { first, others } = readJpegPictures(bytes);
  const picture = others.find((other) => xmpOf(other).includes(appleGainMapType));
  const headroom = picture && appleHeadroom({ xmp: xmpOf(picture), exif: exifOf(first) });
  if (!headroom) return undefined;
  const input = { failOn: "warning", ignoreIcc: true, limitInputPixels: mostPixels } as const;
  try {
    const map = sharp(bytes.subarray(picture.start, picture.end), input);
    return withHdrgm(await convertAppleGainMap(map, headroom));
  } catch (problem) {
    if (problem instanceof Error) return undefined; // a damaged map is dropped; the picture stays
    throw problem;
  }
}

/** Adds the hdrgm parameters, which more readers know. */
export function withHdrgm({ jpeg, iso }: { jpeg: Uint8Array; iso: Uint8Array }): GainMap {
  const hdrgm = hdrgmOf(iso);
  return { jpeg, iso, ...(hdrgm ? { hdrgm } : {}) };
}

/** Parameters of Adobe's Gain Map Specification 1.0, "XMP metadata". The two in `required` have no default. */
const numberNames = [
  "GainMapMin",
  "Gamma",
  "OffsetSDR",
  "OffsetHDR",
  "HDRCapacityMin",
  "GainMapMax",
  "HDRCapacityMax",
] as const;
const required = ["GainMapMax", "HDRCapacityMax"] as const;
const isNumber = (text: string) => /^[+-]?\d{1,20}(\.\d{1,20})?([eE][+-]?\d{1,3})?$/.test(text);

const mostElementLetters = 1000;

function hdrgmIn(xmp: string): GainMap["hdrgm"] {
  if (!/\bhdrgm:Version\b/.test(xmp)) return undefined;
  const found = new Map<string, string[]>();
  for (const name of numberNames) {
    const attribute = new RegExp(`\\bhdrgm:${name}\\s*=\\s*["']([^"'<]*)`).exec(xmp)?.[1];
    // Only the first start tag: in a packet of start tags alone, each would cost a search of 1,000 letters.
    const [, after = ""] = xmp.split(`<hdrgm:${name}>`, 2);
    const [element = ""] = after.slice(0, mostElementLetters).split(`</hdrgm:${name}>`, 1);
    const values =
      attribute === undefined
        ? element
            .replace(/<[^>]*>/g, " ")
            .trim()
            .split(/\s+/)
        : [attribute.trim()];
    if ((values.length === 1 || values.length === 3) && values.every(isNumber)) found.set(name, values);
  }
  if (/\bhdrgm:BaseRenditionIsHDR\W+True/i.test(xmp)) found.set("BaseRenditionIsHDR", ["True"]);
  return required.every((name) => found.has(name)) ? found : undefined;
}

/**
 * The metadata, cut to its length by ISO 21496-1, C.2.2: two versions, flags, then fractions of 8 bytes, or with a
 * common denominator, that denominator and numerators of 4 bytes. Undefined if it is truncated.
 */
export function wholeIso(data: Uint8Array | undefined): Uint8Array | undefined {
  const flags = data?.[4];
  if (data === undefined || flags === undefined) return undefined;
  const channels = flags & 0x80 ? 3 : 1;
  const hasOneDenominator = (flags & 0x08) !== 0;
  const length = 5 + (hasOneDenominator ? 4 + 4 * (2 + 5 * channels) : 8 * (2 + 5 * channels));
  return data.length >= length ? Uint8Array.from(data.subarray(0, length)) : undefined;
}

/**
 * Converts ISO 21496-1 metadata to hdrgm parameters; undefined if the base picture is the HDR
 * rendition.
 * @param iso as `wholeIso` gives it
 */
function hdrgmOf(iso: Uint8Array): GainMap["hdrgm"] {
  const channels = (iso[4] as number) & 0x80 ? 3 : 1;
  const fraction = fractionsOf(iso);
  const textOf = (value: number) => String(Number(value.toFixed(6)));
  const ofChannels = (k: number) => Array.from({ length: channels }, (_, c) => textOf(fraction(2 + 5 * c + k)));
  const [base, alternate] = [fraction(0), fraction(1)];
  const perChannel = ["GainMapMin", "GainMapMax", "Gamma", "OffsetSDR", "OffsetHDR"];
  const numbers = new Map([
    ...perChannel.map((name, k): [string, string[]] => [name, ofChannels(k)]),
    ["HDRCapacityMin", [textOf(base)]],
    ["HDRCapacityMax", [textOf(alternate)]],
  ]);
  return base < alternate && [...numbers.values()].flat().every(isNumber) ? numbers : undefined;
}

/** The numbers of ISO 21496-1, C.2.2, by their order: the base headroom, the alternate headroom, then those of the channels. */
function fractionsOf(iso: Uint8Array): (i: number) => number {
  const view = new DataView(iso.buffer, iso.byteOffset, iso.length);
  const hasOneDenominator = (view.getUint8(4) & 0x08) !== 0;
  return (i) =>
    hasOneDenominator
      ? view.getInt32(9 + 4 * i) / view.getUint32(5)
      : view.getInt32(5 + 8 * i) / view.getUint32(9 + 8 * i);
}

/**
 * ISO 21496-1 metadata without a common denominator, which some HEIF readers do not support; undefined if the base
 * picture is the HDR rendition.
 */
function plainIso({ iso, hdrgm }: GainMap): Uint8Array | undefined {
  if (iso && ((iso[4] as number) & 0x08) === 0) {
    const fraction = fractionsOf(iso);
    return fraction(0) < fraction(1) ? iso : undefined;
  }
  if (!hdrgm || hdrgm.has("BaseRenditionIsHDR")) return undefined;
  // Defaults of Adobe's Gain Map Specification 1.0.
  const number = (name: string, c: number, unset: number) =>
    Number(hdrgm.get(name)?.at(c) ?? hdrgm.get(name)?.[0] ?? unset);
  const count = Math.max(...[...hdrgm.values()].map(({ length }) => length));
  const channels = Array.from({ length: count }, (_, c) => ({
    minStops: number("GainMapMin", c, 0),
    maxStops: number("GainMapMax", c, 1),
    gamma: number("Gamma", c, 1),
    baseOffset: number("OffsetSDR", c, 1 / 64),
    alternateOffset: number("OffsetHDR", c, 1 / 64),
  }));
  return isoOfNumbers({
    baseHeadroom: number("HDRCapacityMin", 0, 0),
    alternateHeadroom: number("HDRCapacityMax", 0, 1),
    channels,
  });
}

/** The geometry operations that were applied to the picture. */
export type GeometryChange = {
  /** The EXIF orientation that was applied. */
  orientation: number;
  /** px: the size after `orientation`, and the crop of it that the result shows. */
  picture: { width: number; height: number };
  window: { left: number; top: number; width: number; height: number };
  result: { width: number; height: number };
  /** Applied last. */
  turn?: Turn;
  /** Degrees of rotation about the centre, applied before the crop: `window` refers to the rotated picture. */
  straighten?: number;
};

/** Whether the change leaves every pixel where it was, so that the gain map still fits unchanged. */
export const isSamePlace = ({ orientation, picture, window, result, turn, straighten }: GeometryChange): boolean =>
  orientation === 1 &&
  !turn &&
  !straighten &&
  [window, result].every(({ width, height }) => width === picture.width && height === picture.height);

/**
 * Applies the picture's geometry to the map and encodes it at a quality of 1 to 100. The map is never enlarged: readers
 * upsample it. Undefined if it cannot be decoded, or if it has more pixels than its picture.
 */
export function recodeGainMap(map: GainMap, { quality, ...how }: RecodeOptions): Promise<GainMap | undefined> {
  return recode(map, how, async (decoded) => {
    const { bytes: jpeg } = await encodeJpeg(decoded.open(), { quality, signal: how.signal, decoded });
    return { ...map, jpeg };
  });
}

/** The same for an AVIF. Undefined also if ISO 21496-1 cannot express its parameters. */
export function recodeAsAvif(map: GainMap, { quality, ...how }: RecodeOptions): Promise<HeifGainMap | undefined> {
  return recode(map, how, async (read) => {
    const iso = plainIso(map);
    if (!iso) return undefined;
    const decoded = asDecodedPicture({ ...read, profile: undefined }); // gain map samples are not colours
    const { bytes: avif } = await encodeAvif(decoded.open(), { quality, signal: how.signal, decoded });
    return { avif, iso };
  });
}

type RecodeOptions = { change: GeometryChange; quality: number; signal: AbortSignal };

async function recode<Coded>(
  map: GainMap,
  { change, signal }: Omit<RecodeOptions, "quality">,
  encode: (decoded: DecodedPicture) => Promise<Coded>,
): Promise<Coded | undefined> {
  const { orientation, picture, window, result, turn, straighten } = change;
  const oriented = Buffer.concat([map.jpeg.subarray(0, 2), exifSegment(orientation), map.jpeg.subarray(2)]);
  const input = { failOn: "warning", ignoreIcc: true, limitInputPixels: picture.width * picture.height } as const;
  try {
    const { channels, icc, autoOrient: own } = await sharp(oriented, input).metadata();
    const scaled = (length: number, [to, from]: [number, number]) =>
      Math.max(1, Math.round(length * Math.min(1, to / from)));
    const [width, height] = [
      scaled(own.width, [result.width, window.width]),
      scaled(own.height, [result.height, window.height]),
    ];
    const place = (start: number, length: number, [mapSide, side]: [number, number]) => {
      const size = Math.max(1, Math.min(mapSide, Math.round((length / side) * mapSide)));
      return { start: Math.min(mapSide - size, Math.max(0, Math.round((start / side) * mapSide))), size };
    };
    const across = place(window.left, window.width, [width, picture.width]);
    const down = place(window.top, window.height, [height, picture.height]);
    const isGrey = channels === 1;
    const whole = sharp(oriented, input).autoOrient().resize({ width, height, fit: "fill" });
    const image = straighten
      ? whole
      : whole.extract({ left: across.start, top: down.start, width: across.size, height: down.size });
    const facts = { depth: 8, isGrey, hasAlpha: false } as const;
    const read = await readPicture(isGrey ? image.toColourspace("b-w") : image, facts);
    const raster = straighten ? straightened(read, { degrees: straighten, picture, window }) : read;
    const upright = asDecodedPicture({ ...raster, profile: icc });
    const decoded = turn ? await decodePicture(turned(upright.open(), turn)) : upright;
    return await encode(decoded);
  } catch (problem) {
    signal.throwIfAborted();
    if (problem instanceof Error) return undefined; // a damaged map is dropped; the picture stays
    throw problem;
  }
}

/** Rotates the map with its picture and crops it to the window, which is in the picture's coordinates. */
function straightened(
  map: Raster,
  { degrees, picture, window }: Pick<GeometryChange, "picture" | "window"> & { degrees: number },
): Raster {
  const [across, down] = [map.width / picture.width, map.height / picture.height];
  const [bounds, mapBounds] = [straightenedSize(picture, degrees), straightenedSize(map, degrees)];
  const region = {
    left: (window.left - bounds.width / 2) * across + mapBounds.width / 2,
    top: (window.top - bounds.height / 2) * down + mapBounds.height / 2,
    width: Math.max(1, Math.round(window.width * across)),
    height: Math.max(1, Math.round(window.height * down)),
  };
  return straightenRaster(map, { degrees, region });
}

const { app1, app2 } = markers;
const mpfMark = "MPF\0";

/**
 * Appends a gain map, and a video after it, to a JPEG. The primary picture gets a Container:Directory in its XMP, the
 * version fields of ISO 21496-1 if the map has that metadata, and a Multi-Picture Format index (CIPA DC-007). Undefined
 * if the XMP segment has no room.
 * @param jpeg a file of one picture
 */
export function withGainMap(
  jpeg: Uint8Array,
  { jpeg: bare, hdrgm, iso }: GainMap,
  motion?: Motion,
): Buffer | undefined {
  const map = insertAfterHead(bare, [
    ...(hdrgm ? [xmpSegment(packet(descriptionOf(hdrgm)))] : []),
    ...(iso ? [writeSegment(app2, Buffer.concat([Buffer.from(isoMark, "latin1"), iso]))] : []),
  ]);
  const { head, xmp, rest } = splitHead(jpeg);
  const isListed = hdrgm !== undefined || motion !== undefined;
  const directory = directoryOf({ mapBytes: map.length, hasNumbers: hdrgm !== undefined, motion });
  const joined = isListed ? withDescription(xmp, directory) : xmp;
  if (isListed && joined === undefined) return undefined;
  const before = Buffer.concat([
    head,
    ...(joined === undefined ? [] : [xmpSegment(joined)]),
    ...(iso ? [writeSegment(app2, Buffer.concat([Buffer.from(isoMark, "latin1"), iso.subarray(0, 4)]))] : []),
  ]);
  const primaryBytes = before.length + segmentHeadBytes + mpfMark.length + indexBytes + rest.length;
  const index = indexOf({ primaryBytes, mapBytes: map.length, at: before.length + segmentHeadBytes + mpfMark.length });
  const listed = writeSegment(app2, Buffer.concat([Buffer.from(mpfMark), index]));
  return Buffer.concat([before, listed, rest, map, ...(motion ? [motion.bytes] : [])]);
}

/** The EXIF orientation of the primary picture, 1 without EXIF. */
export function orientationOf(jpeg: Uint8Array): number {
  const exif = exifOf(readJpegPictures(jpeg).first);
  return exif ? exifOrientation(exif) : 1;
}

const exifOf = ({ applicationData }: Parameters<typeof xmpOf>[0]): Uint8Array | undefined =>
  applicationData
    .find(({ marker, data }) => marker === app1 && startsWith(data, exifMark))
    ?.data.subarray(exifMark.length);

const segmentHeadBytes = 4;
function insertAfterHead(jpeg: Uint8Array, segments: Uint8Array[]): Buffer {
  const { head, rest } = splitHead(jpeg);
  return Buffer.concat([head, ...segments, rest]);
}

function descriptionOf(hdrgm: ReadonlyMap<string, string[]>): string {
  // A fixed order: rewriting a file yields the same bytes.
  const all = [...numberNames, "BaseRenditionIsHDR"].flatMap((name): [string, string[]][] => {
    const values = hdrgm.get(name);
    return values ? [[name, values]] : [];
  });
  const attributes = all.filter(([, { length }]) => length === 1).map(([name, [value]]) => ` hdrgm:${name}="${value}"`);
  const elements = all
    .filter(([, { length }]) => length > 1)
    .map(([name, values]) => {
      const items = values.map((value) => `<rdf:li>${value}</rdf:li>`).join("");
      return `<hdrgm:${name}><rdf:Seq>${items}</rdf:Seq></hdrgm:${name}>`;
    });
  return `<rdf:Description rdf:about="" ${hdrgmSpace}${attributes.join("")}>${elements.join("")}</rdf:Description>`;
}

/**
 * The MP index IFD has three entries of 12 bytes between its count and next-IFD offset; then two MP entries of 16
 * bytes.
 */
const [directoryAt, imageListAt, indexBytes] = [8, 50, 82];

/**
 * The MP index IFD (CIPA DC-007, 5.2): the first image is the baseline primary image, the second has no type. Offsets
 * count from the MP endian field, except that of the first image, which is 0.
 * @param at the file offset of the MP endian field
 */
function indexOf({ primaryBytes, mapBytes, at }: { primaryBytes: number; mapBytes: number; at: number }): Buffer {
  const index = Buffer.alloc(indexBytes);
  index.write("MM\0*", "latin1");
  index.writeUInt32BE(directoryAt, 4);
  index.writeUInt16BE(3, directoryAt);
  const entry = (i: number, [tag, type, length]: [number, number, number]) => {
    const start = directoryAt + 2 + i * 12;
    index.writeUInt16BE(tag, start);
    index.writeUInt16BE(type, start + 2);
    index.writeUInt32BE(length, start + 4);
    return start + 8;
  };
  index.write("0100", entry(0, [0xb000, 7, 4]), "latin1");
  index.writeUInt32BE(2, entry(1, [0xb001, 4, 1]));
  index.writeUInt32BE(imageListAt, entry(2, [0xb002, 7, 32]));
  index.writeUInt32BE(0x030000, imageListAt);
  index.writeUInt32BE(primaryBytes, imageListAt + 4);
  index.writeUInt32BE(mapBytes, imageListAt + 20);
  index.writeUInt32BE(primaryBytes - at, imageListAt + 24);
  return index;
}
