/** A file of a ZIP. `crc32`: of its bytes, unsigned. */
export type ZipEntry = { name: string; sizeBytes: number; crc32: number; modified: Date };

/** Stored in a ZIP (PKWARE APPNOTE 6.3.10): pictures do not compress further. */
const stored = 0;
/** Bit 11: the name is UTF-8. Never bit 3: programs that read a ZIP as a stream refuse a stored entry with a data descriptor. */
const flags = 1 << 11;
/** The version needed to extract, 2.0, and that of ZIP64, 4.5. */
const [version, zip64Version] = [20, 45];
/** The largest values of the fields of 32 and 16 bits; as such they refer to ZIP64. */
const [max32, max16] = [0xffff_ffff, 0xffff];

const localHeaderBytes = 30;
const centralHeaderBytes = 46;
/** ZIP64's offset in a central header (4.5.3), its end record and locator (4.3.14, 4.3.15), and the end record (4.3.16). */
const [zip64OffsetBytes, zip64EndBytes, endBytes] = [12, 56 + 20, 22];

/** The header before an entry's bytes, which has its size and checksum (4.3.7). @throws RangeError from 4 GiB on */
export function zipHeader({ name, sizeBytes, crc32, modified }: ZipEntry): Uint8Array<ArrayBuffer> {
  if (sizeBytes >= max32) throw new RangeError(`${name} is too large for a ZIP`);
  const encoded = new TextEncoder().encode(name);
  const { bytes, view } = record(localHeaderBytes + encoded.length, 0x04034b50);
  writeShared(view, 4, { sizeBytes, crc32, modified, nameBytes: encoded.length });
  bytes.set(encoded, localHeaderBytes);
  return bytes;
}

/** What follows the entries: the central directory and its end. */
export function zipDirectory(entries: readonly ZipEntry[]): Uint8Array<ArrayBuffer>[] {
  let offset = 0;
  const headers = entries.map((entry) => {
    const header = centralHeader(entry, offset);
    offset += localHeaderBytes + nameBytesOf(entry) + entry.sizeBytes;
    return header;
  });
  const directoryBytes = headers.reduce((sum, { length }) => sum + length, 0);
  const end = { count: entries.length, directoryBytes, offset };
  return [...headers, ...(needsZip64(end) ? [zip64End(end)] : []), endRecord(end)];
}

/** The bytes of a whole ZIP, for its announcement. */
export function zipSize(entries: readonly Pick<ZipEntry, "name" | "sizeBytes">[]): number {
  let [offset, directoryBytes] = [0, 0];
  for (const entry of entries) {
    directoryBytes += centralHeaderBytes + nameBytesOf(entry) + (offset >= max32 ? zip64OffsetBytes : 0);
    offset += localHeaderBytes + nameBytesOf(entry) + entry.sizeBytes;
  }
  const isLarge = needsZip64({ count: entries.length, directoryBytes, offset });
  return offset + directoryBytes + (isLarge ? zip64EndBytes : 0) + endBytes;
}

const nameBytesOf = ({ name }: Pick<ZipEntry, "name">): number => new TextEncoder().encode(name).length;

type End = { count: number; directoryBytes: number; offset: number };

const needsZip64 = ({ count, directoryBytes, offset }: End): boolean =>
  count >= max16 || directoryBytes >= max32 || offset >= max32;

function record(length: number, signature: number) {
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, signature, true);
  return { bytes, view };
}

type Shared = Omit<ZipEntry, "name"> & { nameBytes: number; needed?: number };

/** The fields that the local and the central header share, from the version on. */
function writeShared(view: DataView, at: number, { sizeBytes, crc32, modified, nameBytes, needed = version }: Shared) {
  view.setUint16(at, needed, true);
  view.setUint16(at + 2, flags, true);
  view.setUint16(at + 4, stored, true);
  // MS-DOS time (4.4.6), in steps of two seconds, local and from 1980 on.
  const [hours, minutes, seconds] = [modified.getHours(), modified.getMinutes(), modified.getSeconds()];
  view.setUint16(at + 6, (hours << 11) | (minutes << 5) | (seconds >> 1), true);
  const [year, month, day] = [modified.getFullYear() - 1980, modified.getMonth() + 1, modified.getDate()];
  view.setUint16(at + 8, (year << 9) | (month << 5) | day, true);
  view.setUint32(at + 10, crc32, true);
  view.setUint32(at + 14, sizeBytes, true);
  view.setUint32(at + 18, sizeBytes, true);
  view.setUint16(at + 22, nameBytes, true);
}

function centralHeader(entry: ZipEntry, offset: number): Uint8Array<ArrayBuffer> {
  const name = new TextEncoder().encode(entry.name);
  const extraBytes = offset >= max32 ? zip64OffsetBytes : 0;
  const { bytes, view } = record(centralHeaderBytes + name.length + extraBytes, 0x02014b50);
  view.setUint16(4, zip64Version, true);
  writeShared(view, 6, { ...entry, nameBytes: name.length, needed: extraBytes > 0 ? zip64Version : version });
  view.setUint16(30, extraBytes, true);
  view.setUint32(42, Math.min(max32, offset), true);
  bytes.set(name, centralHeaderBytes);
  if (extraBytes > 0) {
    const at = centralHeaderBytes + name.length;
    view.setUint16(at, 1, true);
    view.setUint16(at + 2, 8, true);
    view.setBigUint64(at + 4, BigInt(offset), true);
  }
  return bytes;
}

function zip64End({ count, directoryBytes, offset }: End): Uint8Array<ArrayBuffer> {
  const { bytes, view } = record(zip64EndBytes, 0x06064b50);
  view.setBigUint64(4, 44n, true);
  view.setUint16(12, zip64Version, true);
  view.setUint16(14, zip64Version, true);
  view.setBigUint64(24, BigInt(count), true);
  view.setBigUint64(32, BigInt(count), true);
  view.setBigUint64(40, BigInt(directoryBytes), true);
  view.setBigUint64(48, BigInt(offset), true);
  view.setUint32(56, 0x07064b50, true);
  view.setBigUint64(64, BigInt(offset + directoryBytes), true);
  view.setUint32(72, 1, true);
  return bytes;
}

function endRecord({ count, directoryBytes, offset }: End): Uint8Array<ArrayBuffer> {
  const { bytes, view } = record(endBytes, 0x06054b50);
  view.setUint16(8, Math.min(max16, count), true);
  view.setUint16(10, Math.min(max16, count), true);
  view.setUint32(12, Math.min(max32, directoryBytes), true);
  view.setUint32(16, Math.min(max32, offset), true);
  return bytes;
}
