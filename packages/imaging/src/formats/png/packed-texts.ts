import { inflateSync } from "node:zlib";
import { DomainError } from "@tintype/contract";
import type { ReadBytes } from "../byte-window.ts";
import { readPngChunks } from "./container.ts";

/**
 * The limit against decompression bombs: total inflated bytes of zTXt, iTXt and iCCP. libpng inflates each chunk up to
 * 8 MB: twenty of them in a file of 150 KB took 5 s and 900 MB.
 */
const mostUnpackedBytes = 8_000_000;
/**
 * 500,000 empty chunks took more than a second. An encoder that writes chunks of 4 KB needs 25,000 of them for 100 MB.
 */
const mostChunks = 200_000;

/** @throws cannot-process for a PNG whose compressed metadata inflates beyond the limit, or that has too many chunks */
export async function checkPngMetadata(read: ReadBytes): Promise<void> {
  let unpackedBytes = 0;
  let chunks = 0;
  for await (const { type, start, length } of readPngChunks(read)) {
    if (chunks++ > mostChunks) refuse(`It has more than ${mostChunks} chunks.`);
    if (type === "zTXt" || type === "iTXt" || type === "iCCP") {
      const packed = packedPart(type, await read(start + 8, length));
      if (packed) unpackedBytes += unpackedSize(packed, mostUnpackedBytes - unpackedBytes);
      if (unpackedBytes > mostUnpackedBytes)
        refuse(`Its texts unpack to more than ${mostUnpackedBytes / 1e6} megabytes.`);
    }
  }
}

/**
 * The zlib stream in the data of zTXt, iCCP or iTXt (PNG, third edition, 11.3.2.3, 11.3.3.3 and 11.3.3.4): after the
 * keyword, a null and the compression method; iTXt has a compression flag before the method, and a language tag and a
 * translated keyword after it. Undefined for an uncompressed iTXt.
 */
function packedPart(type: string, data: Buffer): Buffer | undefined {
  const keywordEnd = data.indexOf(0);
  if (keywordEnd < 0) return undefined;
  if (type !== "iTXt") return data.subarray(keywordEnd + 2);
  if (data[keywordEnd + 1] !== 1) return undefined;
  const languageEnd = data.indexOf(0, keywordEnd + 3);
  const translationEnd = languageEnd < 0 ? -1 : data.indexOf(0, languageEnd + 1);
  return translationEnd < 0 ? undefined : data.subarray(translationEnd + 1);
}

/** The inflated size; `most` + 1 if it exceeds `most`. */
function unpackedSize(packed: Buffer, most: number): number {
  try {
    return inflateSync(packed, { maxOutputLength: Math.max(1, most) }).length;
  } catch (problem) {
    // libpng does not inflate a corrupt zlib stream either.
    return (problem as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE" ? most + 1 : 0;
  }
}

function refuse(why: string): never {
  throw new DomainError("cannot-process", { detail: `This PNG is not read. ${why}` });
}
