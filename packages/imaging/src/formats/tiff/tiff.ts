import { readDirectory, tiffLayout } from "../../raster/tiff-directory.ts";
import type { WrittenFormat } from "../format-module.ts";
import { countParts, type Parts } from "../parts.ts";
import { embedInTiff, readTiffBlocks } from "./blocks.ts";
import { stripTiff } from "./metadata.ts";
import { openTiff } from "./read.ts";
import { encodeTiff } from "./write.ts";

export const tiff: WrittenFormat = {
  open: openTiff,
  strip: stripTiff,
  readBlocks: async (file) => readTiffBlocks(await file.bytes()),
  embed: embedInTiff,
  readParts: async (file) => partsOfTiff(await file.bytes()),
  encode: encodeTiff,
  minGain: { usual: 0.16 },
};

/** Photoshop's ImageSourceData, and C2PA 2.1, A.3.4. */
const [layersTag, c2paTag] = [37_724, 52_545];

function partsOfTiff(bytes: Uint8Array): Parts {
  const layout = tiffLayout(bytes);
  const tags = readDirectory(layout, layout.first).entries.map(({ tag }) => tag);
  return countParts({ layers: tags.includes(layersTag), credentials: tags.includes(c2paTag) });
}
