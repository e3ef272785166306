import { readIconEntries, trimIconBitmap, writeIcon } from "@tintype/codecs/ico";
import { stripPng } from "../png/metadata.ts";
import type { Stripped } from "../stripped.ts";

/** Only PNG images can have metadata; bytes between the images and after their pixels are dropped. */
export function stripIcon(file: Uint8Array): Stripped {
  const stripped = readIconEntries(file).map(({ row, bytes, kind, width, height }) => ({
    row,
    ...(kind === "png" ? stripPng(bytes) : { bytes: trimIconBitmap({ bytes, width, height }), notes: [] }),
  }));
  return { bytes: writeIcon(stripped), notes: stripped.flatMap(({ notes }) => notes) };
}
