import { pixelRanges } from "../../formats/tiff/metadata.ts";
import { readDirectory, tiffLayout } from "../../raster/tiff-directory.ts";
import { type Blocks, mostBlockBytes } from "../blocks.ts";
import { directoriesOf, numberEntry, type WrittenEntry, writeDirectory } from "../exif.ts";
import { iptcAmongResources } from "../iptc.ts";
import type { Fields } from "../select.ts";
import { writeXmp } from "../xmp.ts";

const tagOf = { xmp: 700, iptc: 33723, resources: 34377, photo: 34665, subPictures: 330 };

/** The file itself as EXIF, since its own IFD has those tags, and the values of the XMP and IPTC tags. */
export function readTiffBlocks(bytes: Uint8Array): Blocks {
  const layout = tiffLayout(bytes);
  const { entries } = readDirectory(layout, layout.first);
  const blockOf = (wanted: number) => {
    const values = entries.find(({ tag }) => tag === wanted)?.values;
    return values && values.end - values.start <= mostBlockBytes ? bytes.subarray(values.start, values.end) : undefined;
  };
  const [xmp, resources] = [blockOf(tagOf.xmp), blockOf(tagOf.resources)];
  const iptc = blockOf(tagOf.iptc) ?? (resources && iptcAmongResources(resources));
  return { exif: bytes, ...(xmp ? { xmp } : {}), ...(iptc ? { iptc } : {}) };
}

/**
 * The TIFF with the fields as tags of a new first IFD. The IFD and its values go into unused space, which stripping
 * leaves, or else to the end of the file.
 */
export function embedInTiff(bytes: Uint8Array, fields: Fields): Uint8Array | undefined {
  const layout = tiffLayout(bytes);
  const { isLittle, isBig, word, countBytes, entryBytes } = layout;
  const old = readDirectory(layout, layout.first);
  const { image, photo } = directoriesOf(fields.exif);
  const xmp = writeXmp(fields.xmp);
  const added: WrittenEntry[] = [...image, ...(xmp ? [{ tag: tagOf.xmp, type: 1, bytes: xmp }] : [])];
  const isNew = (tag: number) => added.every((entry) => entry.tag !== tag) && tag !== tagOf.photo;
  const photoBytes = photo.length > 0 ? writeDirectory(photo, { at: 0, isLittle, isBig }).length : 0;

  const write = (at: number): Buffer => {
    const directoryAt = at + photoBytes;
    const all = [...added, ...(photo.length > 0 ? [numberEntry(tagOf.photo, 4, at)] : [])];
    const own = writeDirectory(all, { at: 0, isLittle, isBig });
    const table = countBytes + all.length * entryBytes;
    const kept = old.entries.filter(({ tag }) => isNew(tag));
    // The old entries are copied verbatim; the values of the new ones shift by the size of the old ones.
    const moved = writeDirectory(all, { at: directoryAt + kept.length * entryBytes, isLittle, isBig });
    const entries = [
      ...kept.map(({ tag, start }) => ({ tag, entry: bytes.subarray(start, start + entryBytes) })),
      ...all.map(({ tag }, i) => {
        const start = countBytes + i * entryBytes;
        return { tag, entry: moved.subarray(start, start + entryBytes) };
      }),
    ].sort((a, b) => a.tag - b.tag);
    const count = Buffer.alloc(countBytes);
    const view = new DataView(count.buffer, count.byteOffset, countBytes);
    if (isBig) view.setBigUint64(0, BigInt(entries.length), isLittle);
    else view.setUint16(0, entries.length, isLittle);
    return Buffer.concat([
      ...(photo.length > 0 ? [writeDirectory(photo, { at, isLittle, isBig })] : []),
      count,
      ...entries.map(({ entry }) => entry),
      bytes.subarray(old.end - word, old.end),
      own.length > table + word ? moved.subarray(table + word) : Buffer.alloc(0),
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
