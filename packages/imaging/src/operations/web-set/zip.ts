import { crc32 } from "node:zlib";

type Entry = { name: string; bytes: Uint8Array };

/** 1 January 2000 in MS-DOS format: identical pictures give identical bytes. */
const dosDate = (20 << 9) | (1 << 5) | 1;
const version = 20;
/** Bit 11: names are UTF-8. */
const flags = 1 << 11;

/** A ZIP of files of less than 4 GiB in total, stored: pictures do not compress further (PKWARE APPNOTE 6.3, 4.3.6). */
export function zipOf(entries: readonly Entry[]): Uint8Array {
  const pieces: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const { name, bytes } of entries) {
    const encoded = Buffer.from(name);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(version, 0);
    shared.writeUInt16LE(flags, 2);
    shared.writeUInt16LE(dosDate, 8);
    shared.writeUInt32LE(crc32(bytes), 10);
    shared.writeUInt32LE(bytes.length, 14);
    shared.writeUInt32LE(bytes.length, 18);
    shared.writeUInt16LE(encoded.length, 22);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(signature(0x02014b50), Buffer.of(version, 0), shared, rest, encoded);
    pieces.push(signature(0x04034b50), shared, encoded, bytes);
    offset += 4 + shared.length + encoded.length + bytes.length;
  }
  const directoryBytes = directory.reduce((sum, { length }) => sum + length, 0);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(directoryBytes, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...pieces, ...directory, signature(0x06054b50), end]);
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
