import type { MetadataGroup } from "@tintype/contract";
import type { Range } from "../raster/blank-ranges.ts";
import {
  fieldTypes,
  readDirectory,
  type TiffDirectory,
  type TiffEntry,
  tiffLayout,
  typeBytes,
} from "../raster/tiff-directory.ts";
import { littleTiffHead, numbersEntry, swapped, type WrittenEntry, writeDirectory } from "../raster/write-directory.ts";
import { type Density, exifDensity } from "./density.ts";

/** A tag that may be kept. `bytes` is its value in little-endian order; texts are UTF-8 and null-terminated. */
export type ExifField = {
  directory: "image" | "photo";
  tag: number;
  type: number;
  bytes: Uint8Array;
  group: MetadataGroup;
};

/** `fields`: all that any choice keeps. `groups`: those of the fields and of everything else in the block. */
export type ExifContent = { fields: ExifField[]; groups: Set<MetadataGroup> };

const { ascii, short, long, rational, signedRational } = fieldTypes;
const isNumber: readonly number[] = [short, long, rational, signedRational];

const settings = [
  33434, 33437, 34850, 34855, 34864, 34866, 37377, 37378, 37379, 37380, 37381, 37382, 37383, 37384, 37385, 37386, 41495,
  41985, 41986, 41987, 41988, 41989, 41990, 41991, 41992, 41993, 41994, 41996,
];

/**
 * Tags that may be kept (CIPA DC-008, sections 4.6.4 and 4.6.5). Tags that describe the pixels, such as their size, are
 * not among them.
 */
const keptTags: Record<
  ExifField["directory"],
  ReadonlyMap<number, { group: MetadataGroup; types: readonly number[] }>
> = {
  image: new Map([
    [271, { group: "camera", types: [ascii] }],
    [272, { group: "camera", types: [ascii] }],
    [306, { group: "date", types: [ascii] }],
    [315, { group: "creator", types: [ascii] }],
    [33432, { group: "copyright", types: [ascii] }],
  ]),
  photo: new Map<number, { group: MetadataGroup; types: readonly number[] }>([
    [36867, { group: "date", types: [ascii] }],
    ...settings.map((tag): [number, { group: MetadataGroup; types: readonly number[] }] => [
      tag,
      { group: "camera-settings", types: isNumber },
    ]),
    [42034, { group: "camera", types: [rational] }],
    [42035, { group: "camera", types: [ascii] }],
    [42036, { group: "camera", types: [ascii] }],
  ]),
};

/** Groups of removed tags, of any directory. The rest are other details, or technical and not worth reporting. */
const removedGroups = new Map<number, MetadataGroup>([
  [37500, "maker-notes"],
  [50740, "maker-notes"],
  [42032, "owner-name"],
  [42033, "serial-numbers"],
  [42037, "serial-numbers"],
  [50735, "serial-numbers"],
  [42016, "serial-numbers"],
  [34853, "location"],
  [270, "description"],
  [37510, "description"],
  [40091, "description"],
  [40092, "description"],
  [40094, "description"],
  [40095, "description"],
  [40093, "other-details"],
  [305, "other-details"],
  [316, "other-details"],
  [269, "other-details"],
]);
const [photoDirectory, gpsDirectory] = [34665, 34853];
const [thumbnailOffset, thumbnailLength] = [513, 514];
const copyrightTag = 33432;
const dateOf = { picture: 36867, file: 306 };
const maxNumberBytes = 32;
const maxTextBytes = 2000;

/**
 * The fields of an EXIF block or a TIFF that may be kept. A value that does not match its tag's type is dropped, and so
 * is everything after an unparseable part of the block.
 */
export function readExif(tiff: Uint8Array): ExifContent {
  const content: ExifContent = { fields: [], groups: new Set() };
  try {
    const layout = tiffLayout(tiff);
    const image = readDirectory(layout, layout.first);
    const below = (tag: number) => directoryAt(image, { tag, read: (at) => readDirectory(layout, at) });
    const photo = below(photoDirectory);
    const gps = below(gpsDirectory);
    // A corrupt offset or length may point into removed data: a value that overlaps another one, or a directory, is
    // rejected.
    const directories = [image, photo, gps].filter((one) => one !== undefined);
    const taken = directories.flatMap((one) => [
      one,
      ...one.entries.map(({ values }) => values).filter(({ isInside }) => !isInside),
    ]);
    addDirectory(content, { tiff, name: "image", entries: image.entries, isLittle: layout.isLittle, taken });
    addDirectory(content, { tiff, name: "photo", entries: photo?.entries ?? [], isLittle: layout.isLittle, taken });
    if (image.next !== 0 && hasThumbnail(readDirectory(layout, image.next))) content.groups.add("thumbnail");
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
  }
  return { ...content, fields: withOneDate(content.fields) };
}

function directoryAt(
  { entries }: TiffDirectory,
  { tag, read }: { tag: number; read: (at: number) => TiffDirectory },
): TiffDirectory | undefined {
  const [at] = entries.find((entry) => entry.tag === tag)?.numbers() ?? [];
  try {
    return at ? read(at) : undefined;
  } catch (cause) {
    if (cause instanceof RangeError) return undefined;
    throw cause;
  }
}

const hasThumbnail = ({ entries }: TiffDirectory) =>
  [thumbnailOffset, thumbnailLength].every((wanted) => entries.some(({ tag }) => tag === wanted));

type Directory = {
  tiff: Uint8Array;
  name: ExifField["directory"];
  entries: TiffEntry[];
  isLittle: boolean;
  taken: Range[];
};

function addDirectory({ fields, groups }: ExifContent, { tiff, name, entries, isLittle, taken }: Directory): void {
  for (const { tag, type, values } of entries) {
    const removed = removedGroups.get(tag);
    if (removed) groups.add(removed);
    const kept = keptTags[name].get(tag);
    const meetsAnother =
      !values.isInside &&
      taken.some((other) => other !== values && values.start < other.end && other.start < values.end);
    if (!kept?.types.includes(type) || meetsAnother || fields.some((field) => field.tag === tag)) continue;
    const bytes = readValue(tiff.subarray(values.start, values.end), { tag, type, isLittle });
    if (!bytes) continue;
    const text = type === ascii ? decodeText(bytes.subarray(0, -1)) : undefined;
    if (text !== undefined && (isData(text) || (kept.group === "camera" && !isCameraName(text)))) {
      groups.add("other-details");
      continue;
    }
    fields.push({ directory: name, tag, type, bytes, group: kept.group });
    groups.add(kept.group);
  }
}

function readValue(
  value: Uint8Array,
  { tag, type, isLittle }: { tag: number; type: number; isLittle: boolean },
): Uint8Array | undefined {
  if (type === ascii) return textBytes(value, tag === copyrightTag ? 2 : 1);
  const size = typeBytes[type] ?? 1;
  if (value.length === 0 || value.length > maxNumberBytes || value.length % size !== 0) return undefined;
  return isLittle ? Uint8Array.from(value) : swapped(value, type);
}

/** The longest of the camera and lens names in use have about 60 characters. */
const maxCameraName = 64;

/**
 * Whether a text can be the maker or the name of a camera or a lens. Image generators write their prompts and settings
 * there, as JSON or with paths.
 */
export const isCameraName = (text: string): boolean =>
  text.length <= maxCameraName && !/[{}[\]"<>\\\r\n]|:\s|:\/|^\w+:|\/\w+\//.test(text);

/** Whether a text is JSON or begins like it, as what programs write into fields for people. */
export const isData = (text: string): boolean => /^\w*:?\s*[{[]\s*["{[\]}]/.test(text);

/** Copyright may have two parts, the photographer's and the editor's, separated by a null byte. */
function textBytes(value: Uint8Array, parts: 1 | 2): Uint8Array | undefined {
  const text = decodeText(value.subarray(0, maxTextBytes))
    .split("\0")
    .slice(0, parts)
    .map((part) => part.trim())
    .filter(Boolean)
    .join("; ");
  return isReadable(text) ? Buffer.from(`${text}\0`) : undefined;
}

/** UTF-8, which software writes although the standard says ASCII; else Latin-1. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return Buffer.from(bytes).toString("latin1");
  }
}

/** Has a letter or a digit and no control character: binary data is not text. */
export const isReadable = (text: string) =>
  /[\p{L}\p{N}]/u.test(text) && !/[\p{Cc}\p{Cs}\p{Co}\p{Cn}\ufffd]/u.test(text.replace(/[\t\r\n]/g, ""));

/** The date of the file applies if the picture has none. */
const withOneDate = (fields: ExifField[]) =>
  fields.some(({ tag }) => tag === dateOf.picture) ? fields.filter(({ tag }) => tag !== dateOf.file) : fields;

/** A text as a field of the image directory, or the Exif IFD for the date. */
export const exifText = (tag: 315 | 33432 | 36867, group: MetadataGroup, text: string): ExifField => ({
  directory: tag === dateOf.picture ? "photo" : "image",
  tag,
  type: ascii,
  bytes: Buffer.from(`${text}\0`),
  group,
});

/** `image`: the entries of the first directory; `photo`: those of the Exif IFD. */
export function directoriesOf(fields: readonly ExifField[]): { image: WrittenEntry[]; photo: WrittenEntry[] } {
  const inOrder = (name: ExifField["directory"]) =>
    fields.filter(({ directory }) => directory === name).sort((a, b) => a.tag - b.tag);
  const photo = inOrder("photo");
  // CIPA DC-008, section 4.6.5: ExifVersion is mandatory there.
  const version = { tag: 36864, type: fieldTypes.undefined, bytes: Buffer.from("0232") };
  return {
    image: inOrder("image"),
    photo: photo.length > 0 ? [...photo, version].sort((a, b) => a.tag - b.tag) : [],
  };
}

/** A new EXIF block, little-endian, with only these fields, the density, and an orientation if it is not upright. */
export function writeExif(
  fields: readonly ExifField[],
  { orientation, density }: { orientation: number; density?: Density | undefined },
): Uint8Array | undefined {
  const { image, photo } = directoriesOf(fields);
  image.push(...exifDensity(density));
  if (orientation !== 1) image.push(numbersEntry(274, "short", [orientation]));
  if (image.length === 0 && photo.length === 0) return undefined;
  const layout = { isLittle: true, isBig: false };
  const withPhoto = (at: number) =>
    [...image, ...(photo.length > 0 ? [numbersEntry(photoDirectory, "long", [at])] : [])].sort((a, b) => a.tag - b.tag);
  const { length } = writeDirectory(withPhoto(0), { ...layout, at: littleTiffHead.length });
  const photoAt = littleTiffHead.length + length;
  return Buffer.concat([
    littleTiffHead,
    writeDirectory(withPhoto(photoAt), { ...layout, at: littleTiffHead.length }),
    ...(photo.length > 0 ? [writeDirectory(photo, { ...layout, at: photoAt })] : []),
  ]);
}
