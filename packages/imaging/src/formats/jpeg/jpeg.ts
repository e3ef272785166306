import type { WrittenFormat } from "../format-module.ts";
import { embedInJpeg, readJpegBlocks } from "./blocks.ts";
import { stripJpeg } from "./metadata.ts";
import { partsOfJpeg } from "./parts.ts";
import { openJpeg } from "./read.ts";
import { encodeJpeg } from "./write.ts";

export const jpeg: WrittenFormat = {
  open: openJpeg,
  strip: stripJpeg,
  readBlocks: (file) => file.withParts(readJpegBlocks),
  embed: embedInJpeg,
  readParts: async (file) => partsOfJpeg(await file.bytes()),
  encode: encodeJpeg,
  minGain: { usual: 0.12, coarse: 0.25 },
  needsOrder: true,
};
