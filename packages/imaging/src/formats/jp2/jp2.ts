import type { FormatModule } from "../format-module.ts";
import { partsOfBoxes } from "../heif/parts.ts";
import { readJp2Blocks } from "./blocks.ts";
import { stripJp2 } from "./metadata.ts";
import { openJp2 } from "./read.ts";

export const jp2: FormatModule = {
  open: openJp2,
  strip: stripJp2,
  readBlocks: async (file) => readJp2Blocks(await file.bytes()),
  readParts: async (file) => partsOfBoxes(await file.bytes()),
};
