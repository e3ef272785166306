import { blank, type Range } from "../../raster/blank-ranges.ts";
import { readDirectory, type TiffDirectory, type TiffLayout, tiffLayout } from "../../raster/tiff-directory.ts";
import type { Stripped } from "../stripped.ts";

/**
 * Tags that describe the layout and rendering of the pixels: TIFF 6.0's baseline and extension tags except texts and
 * dates, those of its supplements, and the ICC profile. All others are dropped: an unknown tag can hold a location or a
 * name.
 */
const keptTags = new Set([
  ...[
    254, 255, 256, 257, 258, 259, 262, 263, 264, 265, 266, 273, 274, 277, 278, 279, 280, 281, 282, 283, 284, 286, 287,
  ],
  ...[
    288, 289, 290, 291, 292, 293, 296, 297, 301, 317, 318, 319, 320, 321, 322, 323, 324, 325, 326, 327, 328, 330, 332,
  ],
  ...[334, 336, 338, 339, 340, 341, 342, 347, 512, 513, 514, 515, 517, 518, 519, 520, 521, 529, 530, 531, 532, 34675],
]);
/** Tags whose values are IFD offsets: SubIFDs, and the EXIF, GPS and Interoperability IFDs (CIPA DC-008, 4.6.3). */
const subPictures = 330;
const metadataDirectories = new Set([34665, 34853, 40965]);
/** Pairs of tags with the offsets and byte counts of pixel data: strips, tiles, JPEGInterchangeFormat. */
const pixelTags = [
  [273, 279],
  [324, 325],
  [513, 514],
] as const;

/**
 * Removes from a TIFF or BigTIFF all tags that are not kept, and overwrites their values with zeros. No offset changes.
 */
export function stripTiff(bytes: Uint8Array): Stripped {
  const layout = tiffLayout(bytes);
  const drop: Range[] = [];
  const keep: Range[] = [];
  const directories: TiffDirectory[] = [];
  const seen = new Set<number>();
  const visit = (start: number, isMetadata: boolean): void => {
    for (let at = start; at !== 0 && !seen.has(at); ) {
      seen.add(at);
      const directory = readDirectory(layout, at);
      if (isMetadata) drop.push(directory);
      else directories.push(directory);
      for (const { tag, values, numbers } of directory.entries) {
        const isKept = !isMetadata && keptTags.has(tag);
        if (!values.isInside) (isKept ? keep : drop).push(values);
        if (metadataDirectories.has(tag)) for (const place of numbers()) visit(place, true);
        if (isKept && tag === subPictures) for (const place of numbers()) visit(place, false);
      }
      at = isMetadata ? 0 : directory.next;
    }
  };
  visit(layout.first, false);
  keep.push(...directories.flatMap(pixelRanges));
  const copy = blank(bytes, { drop, keep });
  for (const directory of directories) rewrite(copy, layout, directory);
  return { bytes: copy, notes: [] };
}

/** The byte ranges of an IFD's pixel data. */
export function pixelRanges({ entries }: TiffDirectory): Range[] {
  return pixelTags.flatMap(([placeTag, lengthTag]) => {
    const places = entries.find(({ tag }) => tag === placeTag)?.numbers() ?? [];
    const lengths = entries.find(({ tag }) => tag === lengthTag)?.numbers() ?? [];
    return places.map((start, i) => ({ start, end: start + (lengths[i] ?? 0) }));
  });
}

/** Rewrites an IFD in place with its kept entries, followed by the offset of the next IFD. */
function rewrite(
  copy: Uint8Array,
  { view, isLittle, isBig, word, countBytes, entryBytes }: TiffLayout,
  directory: TiffDirectory,
) {
  const kept = directory.entries.filter(({ tag }) => keptTags.has(tag));
  const original = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  const target = new DataView(copy.buffer, copy.byteOffset, copy.byteLength);
  copy.fill(0, directory.start, directory.end);
  if (isBig) target.setBigUint64(directory.start, BigInt(kept.length), isLittle);
  else target.setUint16(directory.start, kept.length, isLittle);
  let at = directory.start + countBytes;
  for (const { start } of kept) {
    copy.set(original.subarray(start, start + entryBytes), at);
    at += entryBytes;
  }
  copy.set(original.subarray(directory.end - word, directory.end), at);
}
