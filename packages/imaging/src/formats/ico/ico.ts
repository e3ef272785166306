import type { WrittenFormat } from "../format-module.ts";
import { stripIcon } from "./metadata.ts";
import { openIcon } from "./read.ts";
import { encodeIcon } from "./write.ts";

export const ico: WrittenFormat = {
  open: openIcon,
  strip: stripIcon,
  encode: encodeIcon,
  minGain: { usual: 0.16 },
};
