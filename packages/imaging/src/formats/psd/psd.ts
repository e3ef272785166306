import type { FormatModule } from "../format-module.ts";
import { countParts } from "../parts.ts";
import { readPsdBlocks } from "./blocks.ts";
import { readPsdLayout } from "./layout.ts";
import { stripPsd } from "./metadata.ts";
import { openPsd } from "./read.ts";

export const psd: FormatModule = {
  open: openPsd,
  strip: stripPsd,
  readBlocks: async (file) => readPsdBlocks(await file.bytes()),
  readParts: async (file) => countParts({ layers: readPsdLayout(await file.bytes()).hasLayers }),
};
