import { DomainError, type InputFormat } from "@tintype/contract";
import { asDomainError } from "../raster/codec-error.ts";
import type { PictureLimits } from "../task.ts";
import { type InputFile, openInputFile } from "./input-file.ts";
import { formatModules } from "./registry.ts";
import type { Source } from "./source.ts";
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
export async function openFile(
  file: InputFile,
  limits: PictureLimits,
  { standsFor, page }: OpenOptions = {},
): Promise<Source> {
  const { format, head } = file;
  if (!format) throw refuseUnread(head);
  if (format !== "pdf" && page !== undefined && page > 1)
    throw new DomainError("cannot-process", { field: "page", reason: { code: "pages-of-pdf-only", format } });
  const opening = formatModules[format].open({ file, limits, page });
  const source = await opening.catch((problem: unknown) => {
    // A parser read past the end of the file, or a value was out of range.
    throw problem instanceof RangeError ? new DomainError("broken-image", { cause: problem }) : asDomainError(problem);
  });
  return standsFor === undefined ? source : { ...source, format: standsFor };
}

/** The same for a file that is opened only once. */
export const openSource = async (path: string, limits: PictureLimits, options?: OpenOptions): Promise<Source> =>
  openFile(await openInputFile(path, { keeps: false }), limits, options);
