import { writeFile } from "node:fs/promises";
import { frameSize, headerSegments, isFrame, markers } from "@tintype/codecs/jpeg";
import { DomainError, type Note } from "@tintype/contract";
import { readDirectory, type TiffEntry, type TiffLayout, tiffLayout } from "../../raster/tiff-directory.ts";
import type { InputFile } from "../input-file.ts";
import { exifSegment, firstExif } from "../jpeg/metadata.ts";

const tags = {
  compression: 259,
  photometric: 262,
  make: 271,
  stripOffsets: 273,
  orientation: 274,
  stripLengths: 279,
  subDirectories: 330,
  jpeg: 513,
  jpegLength: 514,
  dngVersion: 50_706,
} as const;

/** PhotometricInterpretation of sensor data: CFA (TIFF/EP) and LinearRaw (DNG). */
const sensorPhotometrics = [32_803, 34_892];
/** Values of Compression that only raw files have: of Sony, Nikon, Pentax, Samsung, Kodak. */
const sensorCompressions = [32_767, 34_713, 65_535, 32_769, 32_770, 32_772, 65_000];

/** A camera's raw file with the structure of a TIFF. `kind`: its usual name, such as DNG or NEF. */
type CameraRaw = { kind: string; preview: { start: number; end: number; width: number; height: number } | undefined };

/** The path of the extracted preview, and the note for the caller. */
type Preview = { path: string; note: Note };

/**
 * Extracts the largest JPEG preview of a TIFF-based raw file (TIFF/EP, DNG) to `previewPath`, with the raw file's
 * Orientation unless it has its own. Undefined for all other files.
 * @throws cannot-process for a raw file without a preview
 */
export async function extractRawPreview(input: InputFile, previewPath: string): Promise<Preview | undefined> {
  if (input.format !== "tiff" || input.sizeBytes > maxRawBytes) return undefined;
  const file = await input.bytes();
  const raw = readCameraRaw(file);
  if (!raw) return undefined;
  const { kind, preview } = raw;
  if (!preview) throw new DomainError("cannot-process", { reason: { code: "raw-without-preview", kind } });
  const jpeg = file.subarray(preview.start, preview.end);
  const orientation = orientationOf(file);
  const turned =
    orientation === 1 || firstExif(jpeg)
      ? jpeg
      : Buffer.concat([jpeg.subarray(0, 2), exifSegment(orientation), jpeg.subarray(2)]);
  await writeFile(previewPath, turned);
  return {
    path: previewPath,
    note: { code: "raw-preview-used", kind, width: preview.width, height: preview.height },
  };
}

/** A camera of 150 megapixels writes 200 MB. A larger TIFF is not a raw file, and is not read into memory here. */
const maxRawBytes = 3e8;

/** The kind of a raw file and its largest preview; undefined for other TIFFs, intact or damaged. */
function readCameraRaw(file: Uint8Array): CameraRaw | undefined {
  try {
    const layout = tiffLayout(file);
    const directories = allDirectories(layout);
    const kind = kindOf(file, directories);
    return kind === undefined ? undefined : { kind, preview: largestPreview(file, directories) };
  } catch (problem) {
    if (problem instanceof RangeError) return undefined;
    throw problem;
  }
}

type Directory = { find(tag: number): TiffEntry | undefined; first(tag: number): number | undefined };

/** A raw file has only a few IFDs. */
const maxDirectories = 40;

function allDirectories(layout: TiffLayout): Directory[] {
  const found: Directory[] = [];
  const waiting = [layout.first];
  const seen = new Set<number>();
  for (let at = waiting.shift(); at !== undefined && found.length < maxDirectories; at = waiting.shift()) {
    if (at === 0 || seen.has(at)) continue;
    seen.add(at);
    const { entries, next } = readDirectory(layout, at);
    const find = (tag: number) => entries.find((entry) => entry.tag === tag);
    found.push({ find, first: (tag) => find(tag)?.numbers()[0] });
    waiting.push(...(find(tags.subDirectories)?.numbers().slice(0, maxDirectories) ?? []), next);
  }
  return found;
}

function kindOf(file: Uint8Array, directories: readonly Directory[]): string | undefined {
  const latin1 = (start: number, end: number) => new TextDecoder("latin1").decode(file.subarray(start, end));
  if (latin1(8, 10) === "CR" && file[10] === 2) return "CR2";
  if (directories.some(({ find }) => find(tags.dngVersion))) return "DNG";
  const isRaw = directories.some(
    ({ first }) =>
      sensorPhotometrics.includes(first(tags.photometric) ?? -1) ||
      sensorCompressions.includes(first(tags.compression) ?? -1),
  );
  if (!isRaw) return undefined;
  const make = directories[0]?.find(tags.make)?.values;
  const maker = make ? latin1(make.start, make.end).toUpperCase() : "";
  return kinds.find(([name]) => maker.includes(name))?.[1] ?? "RAW";
}

/** The raw format by the Make tag. */
const kinds = [
  ["NIKON", "NEF"],
  ["SONY", "ARW"],
  ["PENTAX", "PEF"],
  ["RICOH", "PEF"],
  ["SAMSUNG", "SRW"],
  ["HASSELBLAD", "3FR"],
  ["EPSON", "ERF"],
  ["KODAK", "DCR"],
] as const;

function largestPreview(file: Uint8Array, directories: readonly Directory[]): CameraRaw["preview"] {
  const places = directories.flatMap(({ find, first }) => {
    const strips = find(tags.stripOffsets)?.numbers() ?? [];
    return [
      { start: first(tags.jpeg), length: first(tags.jpegLength) },
      ...(strips.length === 1 ? [{ start: strips[0], length: first(tags.stripLengths) }] : []),
    ];
  });
  const previews = places.flatMap(({ start = 0, length = 0 }) => {
    const end = Math.min(start + length, file.length);
    const size = start > 0 && end - start > 100 ? jpegSize(file.subarray(start, end)) : undefined;
    return size ? [{ start, end, ...size }] : [];
  });
  return previews.sort((a, b) => b.width * b.height - a.width * a.height)[0];
}

/**
 * The size of a DCT-based JPEG (SOF0 to SOF2) with a precision of 8 bits (ITU-T T.81, B.2.2); undefined for others:
 * sensor data is stored as lossless JPEG (SOF3).
 */
function jpegSize(jpeg: Uint8Array): { width: number; height: number } | undefined {
  if (jpeg[0] !== 0xff || jpeg[1] !== markers.soi) return undefined;
  for (const { marker, data } of headerSegments(jpeg))
    if (isFrame(marker)) return marker <= markers.sof2 && data[0] === 8 ? frameSize(data) : undefined;
  return undefined;
}

function orientationOf(file: Uint8Array): number {
  const layout = tiffLayout(file);
  const entry = readDirectory(layout, layout.first).entries.find(({ tag }) => tag === tags.orientation);
  const value = entry?.numbers()[0] ?? 1;
  return value >= 1 && value <= 8 ? value : 1;
}
