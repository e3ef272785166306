import { crc32 } from "node:zlib";
import { zipDirectory, zipHeader } from "@tintype/contract";

type File = { name: string; bytes: Uint8Array };

/** Identical pictures give identical bytes. */
const modified = new Date(2000, 0, 1);

/** A ZIP of files of less than 4 GiB each. */
export function zipOf(files: readonly File[]): Uint8Array {
  const entries = files.map(({ name, bytes }) => ({ name, sizeBytes: bytes.length, crc32: crc32(bytes), modified }));
  const pieces = entries.flatMap((entry, i) => [zipHeader(entry), files[i]?.bytes ?? new Uint8Array()]);
  return Buffer.concat([...pieces, ...zipDirectory(entries)]);
}
