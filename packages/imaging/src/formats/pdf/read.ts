import { DomainError, type Note } from "@tintype/contract";
import { decodeInThread } from "../decoder-thread.ts";
import { checkPixels } from "../limits.ts";
import { openRaster } from "../open-raster.ts";
import type { FileOpenOptions, Source } from "../source.ts";
import { defaultDotsPerInch, type PdfPage } from "./draw.ts";

type PageOpenOptions = FileOpenOptions & {
  /** From 1. */
  page?: number | undefined;
  timeLimitMs?: number;
};

/**
 * The limit of the smallest plan. A page must have the same size in every plan: a cut-out made by a guest is edited
 * with its original after signing in. PDFium has 1 GB, and each transparency group takes four bytes per pixel of it.
 */
const maxMegapixels = 25;
/** Nested form XObjects can draw the same content any number of times. */
const defaultTimeLimitMs = 60_000;

/**
 * Renders the chosen page of a PDF, by default the first.
 * @throws broken-image, cannot-process, took-too-long
 */
export async function openPdf({
  file,
  limits,
  page,
  timeLimitMs = defaultTimeLimitMs,
}: PageOpenOptions): Promise<Source> {
  const drawn = await decodeInThread({
    decoder: "pdf",
    bytes: await file.bytes(),
    options: { page: page ?? 1, maxPixels: Math.min(limits.megapixelsIn, maxMegapixels) * 1e6 },
    onSize: (size) => checkPixels(size, limits),
    timeLimitMs,
  });
  if (drawn.refused) throw refuse(drawn, page);
  const { pages, width, height, data, dotsPerInch, lacksText } = drawn;
  const notes: Note[] = [
    ...notesOnPages(pages, page),
    ...(dotsPerInch < defaultDotsPerInch
      ? [{ code: "page-drawn-small", dpi: Math.max(1, Math.floor(dotsPerInch)) } as const]
      : []),
    ...(lacksText ? [{ code: "pdf-fonts-missing" } as const] : []),
  ];
  return openRaster({ width, height, channels: 3, data }, { file, format: "pdf", pages, notes });
}

function notesOnPages(pages: number, page: number | undefined): Note[] {
  if (page !== undefined) return [{ code: "chosen-page", page, pages }];
  return pages > 1 ? [{ code: "first-page-kept", pages }] : [];
}

type Refused = Extract<PdfPage, { refused: string }>;

function refuse(drawn: Refused, page = 1): DomainError {
  if (drawn.refused !== "no-such-page")
    return new DomainError("cannot-process", { reason: { code: `pdf-${drawn.refused}` } });
  return new DomainError("cannot-process", {
    field: "page",
    reason: { code: "pdf-page-missing", page, pages: drawn.pages },
  });
}
