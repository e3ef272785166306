import { stat } from "node:fs/promises";
import { sniffFormat } from "@tintype/codecs/headers";
import { DomainError, formats, type InputFormat } from "@tintype/contract";
import { asDomainError } from "../raster/codec-error.ts";
import type { PictureLimits } from "../task.ts";
import { openBmp } from "./bmp/read.ts";
import { readHead } from "./byte-window.ts";
import { checkBeforeReading } from "./check-before-reading.ts";
import { openGif } from "./gif/read.ts";
import { openHeif } from "./heif/read.ts";
import { openIcon } from "./ico/read.ts";
import { openJp2 } from "./jp2/read.ts";
import { openJpeg } from "./jpeg/read.ts";
import { openJxl } from "./jxl/read.ts";
import { openWithLibvips } from "./open-with-libvips.ts";
import { openPdf } from "./pdf/read.ts";
import { openPng } from "./png/read.ts";
import { openPsd } from "./psd/read.ts";
import type { FileOpenOptions, Source } from "./source.ts";
import { openSvg } from "./svg/read.ts";
import { openTiff } from "./tiff/read.ts";
import { refuseUnread } from "./unread.ts";

export type { Source } from "./source.ts";

type OpenOptions = {
  /** Set if an earlier step wrote the file as a lossless intermediate: the format to report instead. */
  standsFor?: InputFormat | undefined;
  /** The page of a PDF, from 1; by default the first. */
  page?: number | undefined;
};

/**
 * Opens a picture by its signature, and checks its header against the limits. libvips decodes when a pipeline of
 * `read()` runs. Other decoders (HEIF, BMP, JPEG XL, JPEG 2000, PDF, PSD, and some TIFF, GIF, PNG and ICO) decode here,
 * once.
 * @throws not-an-image, broken-image, cannot-process, took-too-long; too-many-pixels, before any pixel is decoded
 */
export async function openSource(
  path: string,
  limits: PictureLimits,
  { standsFor, page }: OpenOptions = {},
): Promise<Source> {
  const source = await openFile(path, { limits, page }).catch((problem: unknown) => {
    // A parser read past the end of the file, or a value was out of range.
    throw problem instanceof RangeError ? new DomainError("broken-image", { cause: problem }) : asDomainError(problem);
  });
  return standsFor === undefined ? source : { ...source, format: standsFor };
}

/** The formats that are not opened by libvips as they are. */
const openers: Partial<Record<InputFormat, (options: FileOpenOptions) => Promise<Source>>> = {
  jpeg: openJpeg,
  heic: openHeif,
  avif: openHeif,
  tiff: openTiff,
  ico: openIcon,
  jxl: openJxl,
  jp2: openJp2,
  psd: openPsd,
  svg: openSvg,
  png: openPng,
  gif: openGif,
};

type ReadOptions = { limits: PictureLimits; page: number | undefined };

async function openFile(path: string, { limits, page }: ReadOptions): Promise<Source> {
  const sizeBytes = (await stat(path)).size;
  const head = await readHead(path);
  const format = sniffFormat(head);
  if (!format) throw refuseUnread(head);
  const options = { path, sizeBytes, limits };
  if (format === "pdf") return openPdf({ ...options, page });
  if (page !== undefined && page > 1)
    throw new DomainError("cannot-process", {
      field: "page",
      detail: `Only a PDF has pages; this file is ${formats[format].label}.`,
    });
  if (format === "bmp") return openBmp({ ...options, head });
  await checkBeforeReading(path, { format, sizeBytes });
  const open = openers[format];
  return open ? open(options) : openWithLibvips({ ...options, format });
}
