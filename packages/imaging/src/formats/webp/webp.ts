import { writeBlocks } from "../../metadata/select.ts";
import type { WrittenFormat } from "../format-module.ts";
import { countParts } from "../parts.ts";
import { embedInWebp, readWebpBlocks } from "./blocks.ts";
import { readWebpChunks } from "./container.ts";
import { stripWebp } from "./metadata.ts";
import { openWebp } from "./read.ts";
import { encodeWebp } from "./write.ts";

export const webp: WrittenFormat = {
  open: openWebp,
  strip: stripWebp,
  readBlocks: async (file) => ({ ...(await file.withParts(readWebpBlocks)), orientation: 1 }),
  embed: (bytes, fields) => embedInWebp(bytes, writeBlocks(fields)),
  /** C2PA 2.1, A.3.6: a RIFF chunk. */
  readParts: (file) =>
    file.withParts(async (read) => {
      for await (const { type } of readWebpChunks(read)) if (type === "C2PA") return countParts({ credentials: true });
      return countParts({});
    }),
  encode: encodeWebp,
  minGain: { usual: 0.15 },
  needsOrder: true,
};
