import { type Blocks, maxBlockBytes } from "../../metadata/blocks.ts";
import { densityEntries, densityInTiff, isSameDensity } from "../../metadata/density.ts";
import { directoriesOf } from "../../metadata/exif.ts";
import { iptcAmongResources } from "../../metadata/iptc.ts";
import type { Fields } from "../../metadata/select.ts";
import { writeXmp } from "../../metadata/xmp.ts";
import { fieldTypes, readDirectory, tiffLayout } from "../../raster/tiff-directory.ts";
import { numbersEntry, type WrittenEntry, writeDirectory } from "../../raster/write-directory.ts";
import { pixelRanges } from "./metadata.ts";

const tagOf = { xmp: 700, iptc: 33723, resources: 34377, photo: 34665, subPictures: 330 };

/** The file itself as EXIF, since its own IFD has those tags, and the values of the XMP and IPTC tags. */
export function readTiffBlocks(bytes: Uint8Array): Blocks {
  const layout = tiffLayout(bytes);
  const { entries } = readDirectory(layout, layout.first);
  const blockOf = (wanted: number) => {
    const values = entries.find(({ tag }) => tag === wanted)?.values;
    return values && values.end - values.start <= maxBlockBytes ? bytes.subarray(values.start, values.end) : undefined;
  };
  const resources = blockOf(tagOf.resources);
  const iptc = blockOf(tagOf.iptc) ?? (resources && iptcAmongResources(resources));
  return { exif: bytes, xmp: blockOf(tagOf.xmp), iptc };
}

/**
 * The TIFF with the fields as tags of a new first IFD. The IFD and its values go into unused space, which stripping
 * leaves, or else to the end of the file.
 */
export function embedInTiff(bytes: Uint8Array, fields: Fields): Uint8Array | undefined {
  const layout = tiffLayout(bytes);
  const { isLittle, isBig, word, entryBytes } = layout;
  const old = readDirectory(layout, layout.first);
  const { image, photo } = directoriesOf(fields.exif);
  const xmp = writeXmp(fields.xmp);
  const isStated = isSameDensity(densityInTiff(bytes), fields.density);
  if (image.length + photo.length === 0 && !xmp && isStated) return bytes;
  const added: WrittenEntry[] = [
    ...image,
    ...(fields.density ? densityEntries(fields.density) : []),
    ...(xmp ? [{ tag: tagOf.xmp, type: fieldTypes.byte, bytes: xmp }] : []),
  ];
  const replaced = [...added.map(({ tag }) => tag), tagOf.photo];
  const kept = old.entries
    .filter(({ tag }) => !replaced.includes(tag))
    .map(({ tag, start }) => ({ tag, stored: bytes.subarray(start, start + entryBytes) }));
  const photoBytes = photo.length > 0 ? writeDirectory(photo, { at: 0, isLittle, isBig }).length : 0;

  const write = (at: number): Buffer => {
    const all = [...added, ...(photo.length > 0 ? [numbersEntry(tagOf.photo, "long", [at])] : [])];
    return Buffer.concat([
      ...(photo.length > 0 ? [writeDirectory(photo, { at, isLittle, isBig })] : []),
      writeDirectory(all, { at: at + photoBytes, isLittle, isBig, kept, next: old.next }),
    ]);
  };

  const { length } = write(0);
  const gap = freeRoom(bytes, length);
  const at = gap ?? bytes.length + (bytes.length & 1);
  if (!isBig && at + length > 0xffff_ffff) return undefined;
  const copy = Buffer.alloc(Math.max(bytes.length, at + length));
  copy.set(bytes);
  copy.fill(0, old.start, old.end);
  copy.set(write(at), at);
  const head = new DataView(copy.buffer, copy.byteOffset, copy.length);
  const first = at + photoBytes;
  if (isBig) head.setBigUint64(word, BigInt(first), isLittle);
  else head.setUint32(word, first, isLittle);
  return copy;
}

/** An even offset with this many zeros that no IFD refers to. */
function freeRoom(bytes: Uint8Array, length: number): number | undefined {
  const layout = tiffLayout(bytes);
  const used = [{ start: 0, end: layout.isBig ? 16 : 8 }];
  const seen = new Set<number>();
  const visit = (start: number) => {
    for (let at = start; at !== 0 && !seen.has(at); ) {
      seen.add(at);
      const directory = readDirectory(layout, at);
      used.push(directory, ...directory.entries.map(({ values }) => values), ...pixelRanges(directory));
      for (const { tag, numbers } of directory.entries) if (tag === tagOf.subPictures) numbers().forEach(visit);
      at = directory.next;
    }
  };
  visit(layout.first);
  used.sort((a, b) => a.start - b.start);
  let free = 0;
  for (const { start, end } of [...used, { start: bytes.length, end: bytes.length }]) {
    const from = free + (free & 1);
    if (start - from >= length && bytes.subarray(from, from + length).every((byte) => byte === 0)) return from;
    free = Math.max(free, end);
  }
  return undefined;
}
