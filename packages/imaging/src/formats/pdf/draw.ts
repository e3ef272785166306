import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { PDFiumModule } from "@hyzyla/pdfium";
import type { Size } from "@tintype/codecs/raster";

type Pdfium = Awaited<ReturnType<typeof PDFiumModule>> & {
  // Missing from the package's types.
  _FPDF_InitLibrary(): void;
  _FPDF_GetFormType(document: number): number;
  _FPDF_GetPageWidthF(page: number): number;
  _FPDF_GetPageHeightF(page: number): number;
  _FPDFText_GetTextObject(text: number, at: number): number;
  _FPDFText_GetUnicode(text: number, at: number): number;
  _FPDFTextObj_GetFont(object: number): number;
  _FPDFFont_GetIsEmbedded(font: number): number;
  _FPDFFont_GetGlyphPath(font: number, codePoint: number, size: number): number;
  wasmExports: { memory: WebAssembly.Memory };
};

/** `refused`: why the page is not rendered. `data`: RGB. */
export type PdfPage =
  | { refused: "password" | "xfa" | "too-complex" }
  | { refused: "no-such-page"; pages: number }
  | (Size & { refused?: never; pages: number; dotsPerInch: number; lacksText: boolean; data: Uint8Array });

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
    const data = drawPage(pdfium, { page: loaded, form: openForm(pdfium, document) }, size);
    // Out of memory, PDFium silently omits content, such as a transparency group.
    return isMemoryFull
      ? { refused: "too-complex" }
      : { pages, ...size, dotsPerInch, lacksText: lacksText(pdfium, loaded), data };
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
  limitMemory(pdfium.wasmExports.memory);
  pdfium._FPDF_InitLibrary();
  return pdfium;
}

/**
 * By itself PDFium grows to 2 GB, which a file of a few kilobytes can cause: each nested transparency group of a page
 * of 25 megapixels takes 100 MB. Six such groups fit.
 */
const maxMemoryBytes = 1e9;

export function limitMemory(memory: WebAssembly.Memory): void {
  const grow = memory.grow.bind(memory);
  memory.grow = (wasmPages) => {
    if (memory.buffer.byteLength + wasmPages * wasmPageBytes > maxMemoryBytes)
      throw new RangeError(`PDFium may have ${maxMemoryBytes} bytes of memory`);
    return grow(wasmPages);
  };
}

const wasmPageBytes = 65_536;

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

/**
 * PDFium draws the fields of a form only in a form environment: FPDF_FORMFILLINFO of fpdf_formfill.h, whose callbacks
 * serve interaction and may all be null. Actions of the document do not run: nothing calls FORM_DoDocumentOpenAction.
 */
function openForm(pdfium: Pdfium, document: number): number {
  const callbacks = allocate(pdfium, formInfoBytes);
  pdfium.HEAPU8.fill(0, callbacks, callbacks + formInfoBytes);
  pdfium.HEAPU8[callbacks] = formInfoVersion;
  const form = pdfium._FPDFDOC_InitFormFillEnvironment(document, callbacks);
  if (form === 0) throw new Error("PDF: no form environment");
  return form;
}

/** The structure's version, an int, and more room than its pointers take: version 2 has about 35. */
const [formInfoVersion, formInfoBytes] = [2, 256];

/**
 * Whether characters of the page have no shape: their font is not part of the document, and PDFium's own for the
 * fourteen standard fonts lack them too.
 */
function lacksText(pdfium: Pdfium, page: number): boolean {
  const text = pdfium._FPDFText_LoadPage(page);
  if (text === 0) return false;
  const checked = new Set<string>();
  const count = pdfium._FPDFText_CountChars(text);
  for (let i = 0; i < count; i++) {
    const object = pdfium._FPDFText_GetTextObject(text, i);
    const font = object && pdfium._FPDFTextObj_GetFont(object);
    const codePoint = pdfium._FPDFText_GetUnicode(text, i);
    const key = `${font} ${codePoint}`;
    // A space has no shape either, and PDFium adds spaces and line ends that belong to no object.
    if (!font || checked.has(key) || isBlank.test(String.fromCodePoint(codePoint))) continue;
    checked.add(key);
    if (pdfium._FPDFFont_GetIsEmbedded(font) !== 0) continue;
    if (pdfium._FPDFFont_GetGlyphPath(font, codePoint, 1) === 0) return true;
  }
  return false;
}

const isBlank = /^[\s\p{C}\p{Z}]$/u;

type FormPage = { page: number; form: number };

function drawPage(pdfium: Pdfium, { page, form }: FormPage, { width, height }: Size): Uint8Array {
  const stride = width * 3;
  const at = allocate(pdfium, stride * height);
  const bitmap = pdfium._FPDFBitmap_CreateEx(width, height, bgr, at, stride);
  if (bitmap === 0) throw new Error(`PDF: no bitmap of ${width} x ${height}`);
  pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, white);
  pdfium._FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags);
  pdfium._FPDF_FFLDraw(form, bitmap, page, 0, 0, width, height, 0, flags);
  return pdfium.HEAPU8.slice(at, at + stride * height);
}
