import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { readFile, rename, rm, stat } from "node:fs/promises";
import { finished } from "node:stream/promises";
import { sniffFormat } from "@tintype/codecs/headers";
import { readHead, withBytesOf } from "../formats/byte-window.ts";
import { writeWhole } from "../formats/write-picture.ts";
import { embedInHeif } from "./containers/heif.ts";
import { embedInJpeg } from "./containers/jpeg.ts";
import { type PngInsertion, pngInsertion } from "./containers/png.ts";
import { embedInTiff } from "./containers/tiff.ts";
import { embedInWebp } from "./containers/webp.ts";
import { embedInBmp } from "./density.ts";
import { type Fields, type Selection, writeBlocks } from "./select.ts";

const nothing: Fields = { exif: [], xmp: [] };

/** The fields embedded in a file, and its new size; no fields if the format supports none or the limit has no room. */
export type Embedded = { fields: Fields | undefined; sizeBytes: number };

/**
 * Embeds the fields in a picture that an operation wrote, without re-encoding its pixels. If all of them exceed
 * `maxBytes`, fewer are written, or none. The file is replaced atomically.
 */
export async function embedFields(path: string, { sets }: Selection, maxBytes: number): Promise<Embedded> {
  const { size: sizeBytes } = await stat(path);
  const format = sniffFormat(await readHead(path));
  if (format === "png") return embedInPngFile(path, { sets: sets.length > 0 ? sets : [nothing], maxBytes, sizeBytes });
  if (sets.length === 0) return { fields: undefined, sizeBytes };
  // one of its keys
  const embed = format && format in embedders ? embedders[format as keyof typeof embedders] : undefined;
  if (!embed) return { fields: undefined, sizeBytes };
  const bytes = await readFile(path);
  for (const fields of sets) {
    const written = await embedOrNone(() => embed(bytes, fields));
    if (!written || written.length > maxBytes) continue;
    await writeWhole(path, written);
    return { fields, sizeBytes: written.length };
  }
  return { fields: undefined, sizeBytes };
}

type Embed = (bytes: Uint8Array, fields: Fields) => Uint8Array | undefined | Promise<Uint8Array | undefined>;

const embedders = {
  jpeg: embedInJpeg,
  webp: (bytes, fields) => embedInWebp(bytes, writeBlocks(fields)),
  avif: (bytes, fields) => embedInHeif(bytes, writeBlocks(fields)),
  heic: (bytes, fields) => embedInHeif(bytes, writeBlocks(fields)),
  tiff: embedInTiff,
  // holds a density, and no fields
  bmp: (bytes, { exif, xmp, density }) => (exif.length + xmp.length > 0 ? undefined : embedInBmp(bytes, density)),
} as const satisfies Record<string, Embed>;

/** An original that is returned may have a layout that decoders accept but these writers do not. */
async function embedOrNone(embed: () => ReturnType<Embed>): Promise<Uint8Array | undefined> {
  try {
    return await embed();
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
