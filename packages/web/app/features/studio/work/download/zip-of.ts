import { type ZipEntry, zipDirectory, zipHeader } from "@tintype/contract";

type File = { name: string; blob: Blob };

/** A ZIP of the files. It refers to their blobs, and copies none. */
export async function zipOf(files: readonly File[], modified: Date): Promise<Blob> {
  const entries: ZipEntry[] = [];
  const pieces: BlobPart[] = [];
  for (const { name, blob } of files) {
    const entry = { name, sizeBytes: blob.size, crc32: await crc32Of(blob), modified };
    entries.push(entry);
    pieces.push(zipHeader(entry), blob);
  }
  return new Blob([...pieces, ...zipDirectory(entries)], { type: "application/zip" });
}

/** The checksum of a ZIP (ISO 3309), read piece by piece. */
async function crc32Of(blob: Blob): Promise<number> {
  let remainder = 0xffff_ffff;
  for (let at = 0; at < blob.size; at += pieceBytes)
    for (const byte of new Uint8Array(await blob.slice(at, at + pieceBytes).arrayBuffer()))
      remainder = (remainders[(remainder ^ byte) & 0xff] ?? 0) ^ (remainder >>> 8);
  return ~remainder >>> 0;
}

const pieceBytes = 1 << 20;

/** The remainder of each byte for the reversed polynomial. */
const remainders = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit += 1) remainder = remainder & 1 ? (remainder >>> 1) ^ 0xedb8_8320 : remainder >>> 1;
  return remainder;
});
