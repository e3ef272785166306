import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { finished } from "node:stream/promises";
import type { Fields, Selection } from "../metadata/select.ts";
import { withBytesOf } from "./byte-window.ts";
import { openInputFile } from "./input-file.ts";
import { type PngInsertion, pngInsertion } from "./png/blocks.ts";
import { formatModules } from "./registry.ts";
import { writeWhole } from "./write-picture.ts";

const nothing: Fields = { exif: [], xmp: [] };

/** The fields embedded in a file, and its new size; no fields if the format supports none or the limit has no room. */
export type Embedded = { fields: Fields | undefined; sizeBytes: number };

/**
 * Embeds the fields in a picture that an operation wrote, without re-encoding its pixels. If all of them exceed
 * `maxBytes`, fewer are written, or none. The file is replaced atomically.
 */
export async function embedFields(path: string, { sets }: Selection, maxBytes: number): Promise<Embedded> {
  const { format, sizeBytes, bytes: readBytes } = await openInputFile(path);
  if (format === "png") return embedInPngFile(path, { sets: sets.length > 0 ? sets : [nothing], maxBytes, sizeBytes });
  if (sets.length === 0) return { fields: undefined, sizeBytes };
  const { embed } = format ? formatModules[format] : {};
  if (!embed) return { fields: undefined, sizeBytes };
  const bytes = await readBytes();
  for (const fields of sets) {
    const written = embedOrNone(() => embed(bytes, fields));
    if (!written || written.length > maxBytes) continue;
    await writeWhole(path, written);
    return { fields, sizeBytes: written.length };
  }
  return { fields: undefined, sizeBytes };
}

/** An original that is returned may have a layout that decoders accept but these writers do not. */
function embedOrNone(embed: () => Uint8Array | undefined): Uint8Array | undefined {
  try {
    return embed();
  } catch (cause) {
    if (cause instanceof RangeError) return undefined;
    throw cause;
  }
}

type PngFile = { sets: readonly Fields[]; maxBytes: number; sizeBytes: number };

/** A result may have a gigabyte of pixels: they are streamed from file to file. */
async function embedInPngFile(path: string, { sets, maxBytes, sizeBytes }: PngFile): Promise<Embedded> {
  for (const fields of sets) {
    const insertion = await withBytesOf(path, (read) => pngInsertion(read, fields));
    const { bytes, replaced } = insertion;
    const written = replaced.reduce((sum, { start, end }) => sum - (end - start), sizeBytes + bytes.length);
    if (written > maxBytes) continue;
    if (bytes.length + replaced.length > 0) await copyWith(path, insertion);
    return { fields, sizeBytes: written };
  }
  return { fields: undefined, sizeBytes };
}

async function copyWith(path: string, { at, bytes, replaced }: PngInsertion): Promise<void> {
  const part = `${path}.part`;
  const to = createWriteStream(part);
  const copy = async (start: number, end: number) => {
    if (start >= end) return;
    const from = Number.isFinite(end) ? { start, end: end - 1 } : { start };
    for await (const piece of createReadStream(path, from)) if (!to.write(piece)) await once(to, "drain");
  };
  try {
    await copy(0, at);
    to.write(bytes);
    let from = at;
    for (const { start, end } of replaced) {
      await copy(from, start);
      from = end;
    }
    await copy(from, Number.POSITIVE_INFINITY);
    to.end();
    await finished(to);
    await rename(part, path);
  } finally {
    to.destroy();
    await rm(part, { force: true });
  }
}
