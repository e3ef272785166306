import { DomainError, type Reason } from "@tintype/contract";
import { typeBytes } from "../../raster/tiff-directory.ts";
import type { ReadBytes } from "../byte-window.ts";
import { type TiffCoding, unreadCoding } from "./unread-coding.ts";

/** libtiff reads every IFD to count pages: 10,000 took 2.3 s, and 60,000 in a file of 6 MB took 13 s. */
const maxPages = 2000;
/** A camera's raw file has about 150 tags in an IFD; 2,000 unknown tags in each of 50 IFDs took more than 20 s. */
const maxTags = 400;
const maxTotalTags = 40_000;

/**
 * Walks the linked list of IFDs (TIFF 6.0, 2; BigTIFF) before libtiff does, and reads the coding of the first page.
 * @throws broken-image for a cyclic list, or values that exceed the file; cannot-process for more pages or tags than
 * any scanner writes, or for a coding that no decoder here reads
 */
export async function checkTiffPages(read: ReadBytes, sizeBytes: number): Promise<TiffPages> {
  const layout = layoutOf(await read(0, 16));
  const seen = new Set<number>();
  let [tags, valueBytes] = [0, 0];
  let coding: TiffCoding | undefined;
  let hasUnknownTypes = false;
  for (let at = layout.first; at !== 0; ) {
    if (seen.has(at)) throw new DomainError("broken-image", { cause: "TIFF: the list of pages comes back to itself" });
    seen.add(at);
    if (seen.size > maxPages) refuse({ code: "tiff-pages", limit: maxPages });
    const page = await readPage(read, { layout, at });
    if (!page) break; // truncated list: libtiff ends here too
    tags += page.tags;
    if (page.tags > maxTags || tags > maxTotalTags) refuse({ code: "tiff-tags" });
    if (seen.size === 1) coding = page.coding;
    const unread = coding && unreadCoding(coding);
    if (unread) refuse(unread);
    valueBytes += page.valueBytes;
    if (valueBytes > sizeBytes + maxSharedBytes) throw new DomainError("broken-image", { cause: "TIFF: tags overlap" });
    hasUnknownTypes ||= page.hasUnknownTypes ?? false;
    at = page.next;
  }
  return { coding, pages: seen.size, hasUnknownTypes };
}

/** `coding`: of the first page, if there is one. `hasUnknownTypes`: some field type is in no version of TIFF. */
type TiffPages = { coding: TiffCoding | undefined; pages: number; hasUnknownTypes: boolean };

/** Surplus for values that several IFDs share, such as a profile. */
const maxSharedBytes = 32_000_000;

type Layout = ReturnType<typeof layoutOf>;

function layoutOf(head: Buffer) {
  const isLittle = head[0] === 0x49;
  const isBig = (isLittle ? head[2] : head[3]) === 43;
  const number = (bytes: Buffer, at: number, size: number): number => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (at + size > bytes.length) return 0;
    if (size === 8) return Number(view.getBigUint64(at, isLittle));
    return size === 4 ? view.getUint32(at, isLittle) : view.getUint16(at, isLittle);
  };
  const sizes = isBig ? { word: 8, count: 8, entry: 20 } : { word: 4, count: 2, entry: 12 };
  return { ...sizes, number, first: number(head, sizes.word, sizes.word) };
}

type Page = { tags: number; valueBytes: number; next: number; coding?: TiffCoding; hasUnknownTypes?: boolean };

async function readPage(read: ReadBytes, { layout, at }: { layout: Layout; at: number }): Promise<Page | undefined> {
  const { word, count, entry, number } = layout;
  const head = await read(at, count);
  if (head.length < count) return undefined;
  const tags = number(head, 0, count);
  if (tags > maxTags) return { tags, valueBytes: 0, next: 0 };
  const table = await read(at + count, tags * entry + word);
  let valueBytes = 0;
  let hasUnknownTypes = false;
  const values = new Map<number, number>();
  for (let i = 0; i < tags; i++) {
    const start = i * entry;
    const typeSize = typeBytes[number(table, start + 2, 2)] ?? 0;
    if (typeSize === 0) hasUnknownTypes = true;
    const size = typeSize * number(table, start + 4, word);
    const tag = number(table, start, 2);
    const value = start + 4 + word;
    if (size > word) valueBytes += size;
    // BitsPerSample and SampleFormat have a value for each sample. If the values do not fit into the entry, it holds
    // their offset; the first value is read.
    if ((tag === tagOf.bitsPerSample || tag === tagOf.sampleFormat) && size > word)
      values.set(tag, number(await read(number(table, value, word), 2), 0, 2));
    else values.set(tag, number(table, value, typeSize === 2 ? 2 : word));
  }
  return { tags, valueBytes, next: number(table, tags * entry, word), coding: codingOf(values), hasUnknownTypes };
}

const tagOf = {
  bitsPerSample: 258,
  compression: 259,
  photometric: 262,
  samplesPerPixel: 277,
  planar: 284,
  sampleFormat: 339,
  tileWidth: 322,
};

const codingOf = (values: ReadonlyMap<number, number>): TiffCoding => ({
  compression: values.get(tagOf.compression) ?? 1,
  photometric: values.get(tagOf.photometric) ?? 0,
  bitsPerSample: values.get(tagOf.bitsPerSample) ?? 1,
  sampleFormat: values.get(tagOf.sampleFormat) ?? 1,
  samplesPerPixel: values.get(tagOf.samplesPerPixel) ?? 1,
  isTiled: values.has(tagOf.tileWidth),
  isPlanar: values.get(tagOf.planar) === 2,
});

function refuse(reason: Reason): never {
  throw new DomainError("cannot-process", { reason });
}
