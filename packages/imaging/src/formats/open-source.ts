import { stat } from "node:fs/promises";
import { DomainError, type InputFormat } from "@tintype/contract";
import type { PictureLimits } from "../task.ts";
import { openBmp } from "./bmp/read.ts";
import { checkBeforeReading } from "./check-before-reading.ts";
import { openHeif } from "./heif/read.ts";
import { openWithLibvips } from "./open-with-libvips.ts";
import { readHead } from "./read-head.ts";
import { sniffFormat } from "./sniff.ts";
import type { Source } from "./source.ts";
import { openSvg } from "./svg/read.ts";

export type { Source } from "./source.ts";

/**
 * Opens a picture by its content, or as the format that an earlier step's stand-in stands for: it reads the header and
 * compares it with the limits. libvips decodes when a pipeline of `read()` runs; our own decoders (BMP, HEIC) decode here, once.
 * @throws not-an-image, broken-image, cannot-process, or too-many-pixels, the last before a pixel is decoded
 */
export async function openSource(path: string, limits: PictureLimits, standsFor?: InputFormat): Promise<Source> {
  const source = await openFile(path, limits);
  return standsFor === undefined ? source : { ...source, format: standsFor };
}

async function openFile(path: string, limits: PictureLimits): Promise<Source> {
  const sizeBytes = (await stat(path)).size;
  const head = await readHead(path);
  const format = sniffFormat(head);
  if (!format) throw new DomainError("not-an-image");
  if (format === "bmp") return openBmp({ path, sizeBytes, head, limits });
  if (format === "heic" || format === "avif") return openHeif({ path, sizeBytes, limits });
  if (format === "svg") return openSvg({ path, sizeBytes, limits });
  await checkBeforeReading(path, { format, sizeBytes });
  const canvas = format === "gif" ? gifScreen(head) : undefined;
  const notes = format === "png" && isAnimatedPng(head) ? ["Only the first frame of this moving PNG is kept."] : [];
  return openWithLibvips({ path, sizeBytes, format, limits, canvas, notes });
}

/** libvips cuts a GIF's screen to its frames; our own GIF player does not, and its claimed size has to count. */
function gifScreen(head: Uint8Array): { width: number; height: number } {
  const [a = 0, b = 0, c = 0, d = 0] = head.subarray(6, 10);
  return { width: a | (b << 8), height: c | (d << 8) };
}

/** The chunk that makes a PNG move stands before its pixels. */
const isAnimatedPng = (head: Uint8Array) => {
  const text = new TextDecoder("latin1").decode(head);
  const at = text.indexOf("acTL");
  return at > 0 && !text.slice(0, at).includes("IDAT");
};
