import type { WrittenFormat } from "../format-module.ts";
import { countParts } from "../parts.ts";
import { readPngBlocks } from "./blocks.ts";
import { readPngChunks } from "./container.ts";
import { stripPng } from "./metadata.ts";
import { openPng } from "./read.ts";
import { encodePng } from "./write.ts";

/** `embed` is `embedInPngFile`: a result may have a gigabyte of pixels. */
export const png: WrittenFormat = {
  open: openPng,
  strip: stripPng,
  readBlocks: (file) => file.withParts(readPngBlocks),
  /** C2PA 2.1, A.3.3: a chunk before the pixels. */
  readParts: (file) =>
    file.withParts(async (read) => {
      for await (const { type } of readPngChunks(read))
        if (type === "caBX" || type === "IDAT") return countParts({ credentials: type === "caBX" });
      return countParts({});
    }),
  encode: encodePng,
  minGain: { usual: 0.16 },
  needsOrder: true,
};
