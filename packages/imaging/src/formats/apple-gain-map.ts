import type { Sharp } from "sharp";
import { asDecodedPicture } from "../raster/decoded-picture.ts";
import { readPicture } from "../raster/read-picture.ts";
import { fieldTypes, readDirectory, type TiffEntry, type TiffLayout, tiffLayout } from "../raster/tiff-directory.ts";
import { isoOfNumbers } from "./iso-gain-map.ts";
import { startsWith } from "./jpeg/metadata.ts";
import { encodeJpeg } from "./jpeg/write.ts";

/** The auxiliary image type of Apple's gain maps, in JPEG and HEIC. */
export const appleGainMapType = "urn:com:apple:photo:2020:aux:hdrgainmap";

/** A gain map as JPEG, with ISO 21496-1 metadata (annex C.2.2). */
type IsoGainMap = { jpeg: Uint8Array; iso: Uint8Array };

/** More than the brightest display has over SDR white. */
const maxHeadroom = 1024;

/**
 * The headroom of Apple's gain map: how many times brighter than SDR white it can make a pixel ("Applying Apple HDR
 * effect to your photos", developer.apple.com). Version 2 of the map stores it in the map's XMP; for version 1 it
 * follows from two of the camera's maker notes. Undefined if it is missing or leaves nothing to brighten.
 * @param exif of the picture, from its TIFF header on
 */
export function appleHeadroom({ xmp, exif }: { xmp: string; exif: Uint8Array | undefined }): number | undefined {
  if (!/\bHDRGainMapVersion\b/.test(xmp)) return undefined;
  const named = /\bHDRGainMapHeadroom(?:=["']|>)([^"'<]{1,40})/.exec(xmp)?.[1];
  const headroom = named === undefined ? exif && headroomByMakerNotes(exif) : Number(named);
  return headroom !== undefined && headroom > 1 && headroom <= maxHeadroom ? headroom : undefined;
}

const [photoDirectory, makerNoteTag] = [34665, 37500];
const makerNoteMark = "Apple iOS\0\0\x01MM";
/** HDRHeadroom and HDRGain. */
const [headroomTag, gainTag] = [33, 48];

function headroomByMakerNotes(exif: Uint8Array): number | undefined {
  try {
    const layout = tiffLayout(exif);
    const [photoAt = 0] = entryOf(readDirectory(layout, layout.first).entries, photoDirectory)?.numbers() ?? [];
    const note = photoAt ? entryOf(readDirectory(layout, photoAt).entries, makerNoteTag)?.values : undefined;
    const data = note && exif.subarray(note.start, note.end);
    if (!data || !startsWith(data, makerNoteMark)) return undefined;
    // A directory without a TIFF header; offsets count from the start of the note.
    const { entries } = readDirectory(makerNoteLayout(data), makerNoteMark.length);
    const view = new DataView(data.buffer, data.byteOffset, data.length);
    const [maker33, maker48] = [headroomTag, gainTag].map((tag) => signedRational(view, entryOf(entries, tag)));
    return maker33 === undefined || maker48 === undefined ? undefined : 2 ** stopsOf(maker33, maker48);
  } catch (cause) {
    if (cause instanceof RangeError) return undefined; // truncated EXIF
    throw cause;
  }
}

const entryOf = (entries: readonly TiffEntry[], tag: number) => entries.find((entry) => entry.tag === tag);

function makerNoteLayout(data: Uint8Array): TiffLayout {
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  const offsetAt = (at: number) => view.getUint32(at);
  return { view, isLittle: false, isBig: false, word: 4, countBytes: 2, entryBytes: 12, offsetAt, first: 0 };
}

function signedRational(view: DataView, entry: TiffEntry | undefined): number | undefined {
  if (entry?.type !== fieldTypes.signedRational) return undefined;
  return view.getInt32(entry.values.start) / view.getInt32(entry.values.start + 4);
}

/** The segments of Apple's piecewise linear function: -0.101 * maker48 + 1.601 is 1.5 + 0.101 * (1 - maker48), and so on. */
function stopsOf(maker33: number, maker48: number): number {
  if (maker33 < 1) return maker48 <= 0.01 ? 1.8 - 20 * maker48 : 1.5 + 0.101 * (1 - maker48);
  return maker48 <= 0.01 ? 3 - 70 * maker48 : 2 + 0.303 * (1 - maker48);
}

/** High, because the result encodes this JPEG once more. */
const quality = 95;

/**
 * Converts Apple's gain map to one of ISO 21496-1. Apple's map scales linear light by `1 + (headroom - 1) * map`, with
 * the map encoded by the transfer function of BT.709. An ISO 21496-1 map is the logarithm of that factor.
 */
export async function convertAppleGainMap(map: Sharp, headroom: number): Promise<IsoGainMap> {
  const facts = { depth: 8, isGrey: true, hasAlpha: false } as const;
  const { data, ...shape } = await readPicture(map.removeAlpha().toColourspace("b-w"), facts);
  const table = Uint8Array.from({ length: 256 }, (_, byte) => {
    const factor = 1 + (headroom - 1) * toLinear(byte / 255);
    return Math.round((255 * Math.log2(factor)) / Math.log2(headroom));
  });
  const decoded = asDecodedPicture({ ...shape, data: Uint8Array.from(data, (byte) => table[byte] as number) });
  const { bytes } = await encodeJpeg(decoded.open(), { quality, decoded });
  return { jpeg: bytes, iso: isoOf(Math.log2(headroom)) };
}

/** The inverse of the transfer function of ITU-R BT.709. */
const toLinear = (value: number) => (value < 0.081 ? value / 4.5 : ((value + 0.099) / 1.099) ** (1 / 0.45));

/** One channel from 0 to `stops`, without offsets. */
const isoOf = (stops: number): Uint8Array =>
  isoOfNumbers({
    baseHeadroom: 0,
    alternateHeadroom: stops,
    channels: [{ minStops: 0, maxStops: stops, gamma: 1, baseOffset: 0, alternateOffset: 0 }],
  });
