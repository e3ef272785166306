import { Readable } from "node:stream";
import { crc32 } from "node:zlib";
import { type ZipEntry, zipDirectory, zipHeader } from "@tintype/contract";

/** `open` may be called twice: a ZIP has the checksum before the bytes. */
export type ZipFile = { name: string; sizeBytes: number; open(): Promise<Readable | Buffer> };

/** Midnight by the clock, in any time zone: the same request gives the same bytes. */
const entryDate = new Date(2000, 0, 1);
/** A file up to this size is read once and kept until it is sent. */
const maxBufferedBytes = 4_000_000;

/** A ZIP as a stream that opens each file when it is due, not two hundred at once. */
export function zipStream(files: readonly ZipFile[]): Readable {
  return Readable.from(zipPieces(files), { objectMode: false });
}

async function* zipPieces(files: readonly ZipFile[]): AsyncGenerator<Uint8Array> {
  const entries: ZipEntry[] = [];
  for (const { name, sizeBytes, open } of files) {
    const kept: Uint8Array[] = [];
    let checksum = 0;
    for await (const piece of piecesOf(await open())) {
      checksum = crc32(piece, checksum);
      if (sizeBytes <= maxBufferedBytes) kept.push(piece);
    }
    const entry = { name, sizeBytes, crc32: checksum, modified: entryDate };
    entries.push(entry);
    yield zipHeader(entry);
    if (sizeBytes <= maxBufferedBytes) yield* kept;
    else yield* piecesOf(await open());
  }
  yield* zipDirectory(entries);
}

/** A stream that is not read to its end is destroyed. */
async function* piecesOf(input: Readable | Buffer): AsyncGenerator<Uint8Array> {
  if (input instanceof Readable) yield* input;
  else yield input;
}
