import { readFile } from "node:fs/promises";
import { withBytesOf } from "../formats/byte-window.ts";
import { sniffBytes, sniffFormat } from "../formats/sniff.ts";
import type { Blocks } from "./blocks.ts";
import { readHeifBlocks } from "./containers/heif.ts";
import { readJpegBlocks } from "./containers/jpeg.ts";
import { readPngBlocks } from "./containers/png.ts";
import { readTiffBlocks } from "./containers/tiff.ts";
import { readWebpBlocks } from "./containers/webp.ts";

/** A file's metadata blocks; none where its format has none, or where they cannot be followed. */
export async function readBlocks(path: string): Promise<Blocks> {
  try {
    return await withBytesOf(path, async (read) => {
      switch (sniffFormat(await read(0, sniffBytes))) {
        case "jpeg":
          return readJpegBlocks(read);
        case "png":
          return readPngBlocks(read);
        case "webp":
          return readWebpBlocks(read);
        case "avif":
        case "heic":
          return readHeifBlocks(await readFile(path));
        case "tiff":
          return readTiffBlocks(await readFile(path));
        default:
          return {};
      }
    });
  } catch (cause) {
    if (cause instanceof RangeError) return {};
    throw cause;
  }
}
