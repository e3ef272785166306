import { DomainError } from "@tintype/contract";
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
  const notes = [
    ...notesOnPages(pages, page),
    ...(dotsPerInch < defaultDotsPerInch
      ? [`The page is large, and was drawn at ${Math.max(1, Math.floor(dotsPerInch))} dpi.`]
      : []),
    ...(lacksText ? ["Some text is missing, since its font is not part of the PDF."] : []),
  ];
  return openRaster({ width, height, channels: 3, data }, { file, format: "pdf", pages, notes });
}

function notesOnPages(pages: number, page: number | undefined): string[] {
  if (page !== undefined) return [`Page ${page} of ${pages}.`];
  return pages > 1 ? [`Only the first of ${pages} pages is kept.`] : [];
}

type Refused = Extract<PdfPage, { refused: string }>;

const sentences = {
  password: "This PDF is protected by a password. Save it without one.",
  xfa: "This PDF is an XFA form, which is not supported. Print it to a PDF first.",
  "too-complex": "This page of the PDF needs more memory than we can give it.",
} as const;

function refuse(drawn: Refused, page = 1): DomainError {
  if (drawn.refused !== "no-such-page") return new DomainError("cannot-process", { detail: sentences[drawn.refused] });
  const { pages } = drawn;
  const has = pages === 1 ? "one page" : `${pages} pages`;
  return new DomainError("cannot-process", { field: "page", detail: `This PDF has ${has}; there is no page ${page}.` });
}
