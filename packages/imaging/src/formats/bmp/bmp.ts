import { densityInBmp, embedInBmp } from "../../metadata/density.ts";
import type { WrittenFormat } from "../format-module.ts";
import { stripBmp } from "./metadata.ts";
import { openBmp } from "./read.ts";
import { encodeBmp } from "./write.ts";

export const bmp: WrittenFormat = {
  open: openBmp,
  strip: stripBmp,
  readBlocks: ({ head }) => ({ density: densityInBmp(head.subarray(0, 64)) }),
  // holds a density, and no fields
  embed: (bytes, { exif, xmp, density }) => (exif.length + xmp.length > 0 ? undefined : embedInBmp(bytes, density)),
  encode: encodeBmp,
};
