import type { FormatModule } from "../format-module.ts";
import { partsOfBoxes } from "../heif/parts.ts";
import { readJxlBlocks } from "./blocks.ts";
import { stripJxl } from "./metadata.ts";
import { openJxl } from "./read.ts";

export const jxl: FormatModule = {
  open: openJxl,
  strip: stripJxl,
  readBlocks: async (file) => readJxlBlocks(await file.bytes()),
  readParts: async (file) => partsOfBoxes(await file.bytes()),
};
