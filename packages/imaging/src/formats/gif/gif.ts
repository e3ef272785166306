import type { WrittenFormat } from "../format-module.ts";
import { countParts } from "../parts.ts";
import { stripGif } from "./metadata.ts";
import { openGif } from "./read.ts";
import { encodeGif } from "./write.ts";

/** C2PA 2.1, A.3.2: an application extension. */
const credentialsMark = Buffer.from("!\xff\x0bC2PA_GIF", "latin1");

export const gif: WrittenFormat = {
  open: openGif,
  strip: stripGif,
  readParts: async (file) => countParts({ credentials: (await file.bytes()).includes(credentialsMark) }),
  encode: encodeGif,
  minGain: { usual: 0.1, coarse: 0.2 },
  needsOrder: true,
};
