import { inflateSync } from "node:zlib";
import { DomainError, type Reason } from "@tintype/contract";
import type { ReadBytes } from "../byte-window.ts";
import { pngText, readPngChunks } from "./container.ts";

/**
 * The limit against decompression bombs: total inflated bytes of zTXt, iTXt and iCCP. libpng inflates each chunk up to
 * 8 MB: twenty of them in a file of 150 KB took 5 s and 900 MB.
 */
const maxUnpackedBytes = 8_000_000;
/**
 * 500,000 empty chunks took more than a second. An encoder that writes chunks of 4 KB needs 25,000 of them for 100 MB.
 */
const maxChunks = 200_000;

/** @throws cannot-process for a PNG whose compressed metadata inflates beyond the limit, or that has too many chunks */
export async function checkPngMetadata(read: ReadBytes): Promise<void> {
  let unpackedBytes = 0;
  let chunks = 0;
  for await (const { type, start, length } of readPngChunks(read)) {
    if (chunks++ > maxChunks) refuse({ code: "png-chunks", limit: maxChunks });
    if (type === "zTXt" || type === "iTXt" || type === "iCCP") {
      const text = pngText(type, await read(start + 8, length));
      if (text?.isPacked) unpackedBytes += unpackedSize(text.bytes, maxUnpackedBytes - unpackedBytes);
      if (unpackedBytes > maxUnpackedBytes) refuse({ code: "png-texts", megabytes: maxUnpackedBytes / 1e6 });
    }
  }
}

/** The inflated size; `maxBytes` + 1 if it exceeds `maxBytes`. */
function unpackedSize(packed: Buffer, maxBytes: number): number {
  try {
    return inflateSync(packed, { maxOutputLength: Math.max(1, maxBytes) }).length;
  } catch (problem) {
    // libpng does not inflate a corrupt zlib stream either.
    return (problem as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE" ? maxBytes + 1 : 0;
  }
}

function refuse(reason: Reason): never {
  throw new DomainError("cannot-process", { reason });
}
