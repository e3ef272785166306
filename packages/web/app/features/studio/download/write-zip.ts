import { createCrc32 } from "./crc32.ts";

export type ZipEntry = { name: string; blob: Blob };

/** Format limits without ZIP64: a batch of 200 stays far below the first, and 4 GB do not fit into a page's memory. */
const maxBytes = 0xff_ff_ff_ff;

const signatures = { entry: 0x04034b50, directory: 0x02014b50, end: 0x06054b50 };
/** 2.0, the least that a reader must know. */
const version = 20;
/** Bit 11: names are UTF-8. */
const flags = 0x0800;

/**
 * A ZIP in store mode (PKWARE APPNOTE 4.3): pictures are compressed already. The blobs are referred to, not copied;
 * each is read once, for its checksum.
 * @throws RangeError above 4 GB.
 */
export async function writeZip(entries: readonly ZipEntry[], modified: Date): Promise<Blob> {
  const parts: BlobPart[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  const stamp = dosTime(modified);
  let offset = 0;
  for (const { name, blob } of entries) {
    const nameBytes = new TextEncoder().encode(name);
    const facts = { crc: await checksum(blob), size: blob.size, nameBytes, stamp };
    const header = record(signatures.entry, [[2, version], ...common(facts)], nameBytes);
    directory.push(
      record(
        signatures.directory,
        // made by, needed, the same facts, comment length, disk, internal and external attributes, place
        [[2, version], [2, version], ...common(facts), [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]],
        nameBytes,
      ),
    );
    parts.push(header, blob);
    offset += header.length + blob.size;
    if (offset > maxBytes) throw new RangeError("The results are too large for one ZIP.");
  }
  const directoryBytes = directory.reduce((sum, { length }) => sum + length, 0);
  const end = record(signatures.end, [
    ...([
      [2, 0],
      [2, 0],
      [2, entries.length],
      [2, entries.length],
    ] as Field[]),
    ...([
      [4, directoryBytes],
      [4, offset],
      [2, 0],
    ] as Field[]),
  ]);
  return new Blob([...parts, ...directory, end], { type: "application/zip" });
}

/** Bytes and value, little-endian. */
type Field = [bytes: 2 | 4, value: number];
type Facts = { crc: number; size: number; nameBytes: Uint8Array; stamp: { time: number; date: number } };

/** Flags, method 0 (stored), time, date, checksum, both sizes, lengths of the name and of the extra field. */
const common = ({ crc, size, nameBytes, stamp }: Facts): Field[] => [
  [2, flags],
  [2, 0],
  [2, stamp.time],
  [2, stamp.date],
  [4, crc],
  [4, size],
  [4, size],
  [2, nameBytes.length],
  [2, 0],
];

function record(signature: number, fields: readonly Field[], tail = new Uint8Array()): Uint8Array<ArrayBuffer> {
  const length = fields.reduce((sum, [bytes]) => sum + bytes, 4);
  const bytes = new Uint8Array(length + tail.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, signature, true);
  let at = 4;
  for (const [size, value] of fields) {
    if (size === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += size;
  }
  bytes.set(tail, at);
  return bytes;
}

async function checksum(blob: Blob): Promise<number> {
  const crc = createCrc32();
  const reader = blob.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return crc.value();
    crc.add(value);
  }
}

/** MS-DOS date and time: two-second steps since 1980. */
const dosTime = (date: Date) => ({
  time: (date.getHours() << 11) | (date.getMinutes() << 5) | (date.getSeconds() >> 1),
  date: ((date.getFullYear() - 1980) << 9) | ((date.getMonth() + 1) << 5) | date.getDate(),
});
