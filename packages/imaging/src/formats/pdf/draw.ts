import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { PDFiumModule } from "@hyzyla/pdfium";
import type { Size } from "../../raster/raster.ts";

type Pdfium = Awaited<ReturnType<typeof PDFiumModule>> & {
  // Missing from the package's types.
  _FPDF_InitLibrary(): void;
  _FPDF_GetFormType(document: number): number;
  _FPDF_GetPageWidthF(page: number): number;
  _FPDF_GetPageHeightF(page: number): number;
};

/** `refused`: why the page is not rendered. `data`: RGB. */
export type PdfPage =
  | { refused: "password" | "xfa" | "too-complex" }
  | { refused: "no-such-page"; pages: number }
  | (Size & { refused?: never; pages: number; dotsPerInch: number; data: Uint8Array });

/** `page`: from 1. `maxPixels`: the resolution is lowered for a page that would exceed it at the usual one. */
export type PdfRequest = { page: number; maxPixels: number };

/**
 * Renders one page of a PDF on white, by PDFium. No other page is loaded.
 * @throws Error if the document is damaged
 */
export async function drawPdf(
  bytes: Uint8Array,
  { page, maxPixels }: PdfRequest,
  onSize: (size: Size) => void,
): Promise<PdfPage> {
  let isMemoryFull = false;
  const pdfium = await loadPdfium((line) => {
    isMemoryFull ||= /enlarge memory|grow the heap/.test(line);
  });
  try {
    const document = pdfium._FPDF_LoadMemDocument(copyIn(pdfium, bytes), bytes.length, 0);
    if (document === 0 && lockedErrors.includes(pdfium._FPDF_GetLastError())) return { refused: "password" };
    const pages = document === 0 ? 0 : pdfium._FPDF_GetPageCount(document);
    if (pages === 0) throw new Error("PDF: the document cannot be loaded, or has no page");
    if (pdfium._FPDF_GetFormType(document) === xfaForm) return { refused: "xfa" };
    if (page > pages) return { refused: "no-such-page", pages };
    const loaded = pdfium._FPDF_LoadPage(document, page - 1);
    if (loaded === 0) throw new Error(`PDF: page ${page} cannot be loaded`);
    const points = { width: pdfium._FPDF_GetPageWidthF(loaded), height: pdfium._FPDF_GetPageHeightF(loaded) };
    const { dotsPerInch, ...size } = sizeInPixels(points, maxPixels);
    onSize(size);
    const data = drawPage(pdfium, loaded, size);
    // Out of memory, PDFium silently omits content, such as a transparency group.
    return isMemoryFull ? { refused: "too-complex" } : { pages, ...size, dotsPerInch, data };
  } catch (problem) {
    if (isMemoryFull) return { refused: "too-complex" };
    throw problem;
  }
}

/** FPDF_ERR_PASSWORD and FPDF_ERR_SECURITY of fpdfview.h. */
const lockedErrors = [4, 5];
/** FORMTYPE_XFA_FULL of fpdf_formfill.h. */
const xfaForm = 2;

async function loadPdfium(printErr: (line: string) => void): Promise<Pdfium> {
  const require = createRequire(import.meta.url);
  const wasm = await readFile(require.resolve("@hyzyla/pdfium/pdfium.wasm"));
  const options = { wasmBinary: Uint8Array.from(wasm).buffer, locateFile: () => "", print: () => {}, printErr };
  const pdfium = (await PDFiumModule(options)) as Pdfium; // the module exports all PDFium functions
  pdfium._FPDF_InitLibrary();
  return pdfium;
}

function copyIn(pdfium: Pdfium, bytes: Uint8Array): number {
  const at = allocate(pdfium, bytes.length);
  pdfium.HEAPU8.set(bytes, at); // HEAPU8 is read after the allocation: memory growth replaces the view
  return at;
}

function allocate({ wasmExports }: Pdfium, bytes: number): number {
  const at = wasmExports.malloc(bytes);
  if (at === 0) throw new Error("PDF: out of memory");
  return at;
}

const pointsPerInch = 72;
/** Two pixels per point: lines at whole points are sharp. */
export const defaultDotsPerInch = 144;

function sizeInPixels({ width, height }: Size, maxPixels: number): Size & { dotsPerInch: number } {
  const usual = defaultDotsPerInch / pointsPerInch;
  const scale = Math.min(usual, Math.sqrt(maxPixels / (width * height)));
  const sized = (round: (side: number) => number) => {
    // A page less than a pixel wide could be longer than `maxPixels`.
    const side = (points: number) => Math.min(Math.max(1, round(points * scale)), maxPixels);
    return { width: side(width), height: side(height), dotsPerInch: scale * pointsPerInch };
  };
  const rounded = sized(Math.round);
  return scale < usual || rounded.width * rounded.height > maxPixels ? sized(Math.floor) : rounded;
}

/** fpdfview.h: FPDFBitmap_BGR (3 bytes per pixel), FPDF_ANNOT, FPDF_REVERSE_BYTE_ORDER. */
const bgr = 2;
const flags = 0x01 | 0x10;
const white = 0xff_ff_ff_ff;

function drawPage(pdfium: Pdfium, page: number, { width, height }: Size): Uint8Array {
  const stride = width * 3;
  const at = allocate(pdfium, stride * height);
  const bitmap = pdfium._FPDFBitmap_CreateEx(width, height, bgr, at, stride);
  if (bitmap === 0) throw new Error(`PDF: no bitmap of ${width} x ${height}`);
  pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, white);
  pdfium._FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags);
  return pdfium.HEAPU8.slice(at, at + stride * height);
}
