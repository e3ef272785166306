import type { FormatModule } from "../format-module.ts";
import { countParts } from "../parts.ts";
import { stripSvg } from "./metadata.ts";
import { openSvg } from "./read.ts";

export const svg: FormatModule = {
  open: openSvg,
  strip: stripSvg,
  readParts: async (file) =>
    countParts({ credentials: /<c2pa:manifest[\s>]/.test((await file.bytes()).toString("utf8")) }),
};
