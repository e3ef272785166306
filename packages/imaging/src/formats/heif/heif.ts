import { writeBlocks } from "../../metadata/select.ts";
import type { FormatModule, WrittenFormat } from "../format-module.ts";
import { embedInHeif, readHeifBlocks } from "./blocks.ts";
import { stripHeif } from "./metadata.ts";
import { partsOfHeif } from "./parts.ts";
import { openHeif } from "./read.ts";
import { encodeAvif } from "./write.ts";

export const heic: FormatModule = {
  open: openHeif,
  strip: stripHeif,
  readBlocks: async (file) => readHeifBlocks(await file.bytes()),
  embed: (bytes, fields) => embedInHeif(bytes, writeBlocks(fields)),
  readParts: async (file) => partsOfHeif(await file.bytes()),
};

export const avif: WrittenFormat = { ...heic, encode: encodeAvif, minGain: { usual: 0.08 }, needsOrder: true };
