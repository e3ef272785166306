import { stripPng } from "../png/metadata.ts";
import type { Stripped } from "../stripped.ts";
import { trimIconBitmap } from "./bitmap.ts";
import { readIconEntries, writeIcon } from "./directory.ts";

/** Metadata can only be in pictures that are PNG; bytes between the pictures and behind their pixels go. */
export function stripIcon(file: Uint8Array): Stripped {
  const stripped = readIconEntries(file).map(({ row, bytes, kind, width, height }) => ({
    row,
    ...(kind === "png" ? stripPng(bytes) : { bytes: trimIconBitmap({ bytes, width, height }), notes: [] }),
  }));
  return { bytes: writeIcon(stripped), notes: stripped.flatMap(({ notes }) => notes) };
}
