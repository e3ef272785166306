import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compress } from "../../operations/compress.ts";
import { convert } from "../../operations/convert.ts";
import { resize } from "../../operations/resize.ts";
import { upload } from "../../operations/upload.ts";
import { filled, firstObject, pdfFile, pdfStream } from "../../testing/pdf-file.ts";
import { runOperation, testLimits } from "../../testing/run-operation.ts";
import { openInputFile } from "../input-file.ts";
import { openSource } from "../open-source.ts";
import { limitMemory } from "./draw.ts";
import { openPdf } from "./read.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pdf-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function write(bytes: Uint8Array) {
  const path = join(folder, "document.pdf");
  await writeFile(path, bytes);
  return path;
}

type Opening = { page?: number; megapixelsIn?: number };

const open = async (bytes: Uint8Array, { page, megapixelsIn = 25 }: Opening = {}) =>
  openSource(await write(bytes), { ...testLimits, megapixelsIn }, { page });

/** The colour of a pixel; the origin is the top left. */
async function colourAt(bytes: Uint8Array, [x, y]: readonly [number, number], page?: number) {
  const source = await open(bytes, page === undefined ? {} : { page });
  const { data, info } = await source.read().raw().toBuffer({ resolveWithObject: true });
  const at = (y * info.width + x) * info.channels;
  return [...data.subarray(at, at + 3)];
}

const [red, green, blue, white] = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 255],
];
const colours = pdfFile({ pages: ["1 0 0", "0 1 0", "0 0 1"].map((colour) => ({ content: filled(colour) })) });

test("a page is drawn at two pixels a point, on white", async () => {
  const bytes = pdfFile({ pages: [{ box: [0, 0, 40, 20], content: "1 0 0 rg 10 10 10 10 re f" }] });
  const source = await open(bytes);
  expect(source).toMatchObject({
    format: "pdf",
    width: 80,
    height: 40,
    pages: 1,
    hasAlpha: false,
    depth: 8,
    notes: [],
  });
  expect(await colourAt(bytes, [20, 0])).toEqual(red);
  expect(await colourAt(bytes, [39, 19])).toEqual(red);
  expect(await colourAt(bytes, [40, 20])).toEqual(white);
});

test("the first page is read unless another one is named, and the notes tell which", async () => {
  expect((await open(colours)).notes).toEqual([{ code: "first-page-kept", pages: 3 }]);
  expect((await open(colours, { page: 3 })).notes).toEqual([{ code: "chosen-page", page: 3, pages: 3 }]);
  expect(await colourAt(colours, [5, 5])).toEqual(red);
  expect(await colourAt(colours, [5, 5], 2)).toEqual(green);
  expect(await colourAt(colours, [5, 5], 3)).toEqual(blue);
});

test("a page beyond the last is refused with the number of pages", async () => {
  await expect(open(colours, { page: 4 })).rejects.toMatchObject({
    code: "cannot-process",
    detail: "This PDF has 3 pages; there is no page 4.",
  });
  await expect(open(pdfFile(), { page: 2 })).rejects.toMatchObject({
    detail: "This PDF has one page; there is no page 2.",
  });
});

test("the crop box and the rotation count, and annotations are drawn", async () => {
  const turned = pdfFile({
    pages: [{ content: "1 0 0 rg 0 0 40 10 re f", entries: "/CropBox [0 0 40 15] /Rotate 90" }],
  });
  expect(await open(turned)).toMatchObject({ width: 30, height: 80 });
  // Rotated by 90 degrees, the bottom edge is on the left.
  expect(await colourAt(turned, [2, 40])).toEqual(red);
  expect(await colourAt(turned, [27, 40])).toEqual(white);
  const annotated = pdfFile({
    objects: [pdfStream("0 0 1 rg 0 0 40 20 re f", "/Type /XObject /Subtype /Form /BBox [0 0 40 20]")],
    pages: [
      {
        content: filled("1 0 0"),
        entries: `/Annots [<< /Type /Annot /Subtype /Stamp /Rect [0 0 40 20] /F 4 /AP << /N ${firstObject} 0 R >> >>]`,
      },
    ],
  });
  expect(await colourAt(annotated, [40, 20])).toEqual(blue);
});

const widget = (entries: string) => `<< /Type /Annot /Subtype /Widget /T (name) /Rect [0 0 40 20] /F 4 ${entries} >>`;
const form = (entries: string) =>
  pdfFile({
    objects: [
      widget(entries),
      pdfStream("0 0 1 rg 0 0 40 20 re f", "/Type /XObject /Subtype /Form /BBox [0 0 40 20]"),
      pdfStream("0 1 0 rg 0 0 40 20 re f", "/Type /XObject /Subtype /Form /BBox [0 0 40 20]"),
    ],
    pages: [{ content: filled("1 0 0"), entries: `/Annots [${firstObject} 0 R]` }],
    catalog: `/AcroForm << /Fields [${firstObject} 0 R] >>`,
  });
const appearance = `${firstObject + 1} 0 R`;
const off = `${firstObject + 2} 0 R`;

test.each([
  ["a text field", `/FT /Tx /V (Ann) /AP << /N ${appearance} >>`, blue],
  ["a list", `/FT /Ch /V (Ann) /Opt [(Ann)] /AP << /N ${appearance} >>`, blue],
  ["a box that is checked", `/FT /Btn /V /Yes /AS /Yes /AP << /N << /Yes ${appearance} /Off ${off} >> >>`, blue],
  ["a box that is not", `/FT /Btn /V /Off /AS /Off /AP << /N << /Yes ${appearance} /Off ${off} >> >>`, green],
  ["a signature", `/FT /Sig /V << /Type /Sig /Filter /Adobe.PPKLite >> /AP << /N ${appearance} >>`, blue],
])("%s of a filled-in form is drawn", async (_, entries, colour) => {
  expect(await colourAt(form(entries), [40, 20])).toEqual(colour);
});

test("a hidden field of a form stays hidden", async () => {
  expect(await colourAt(form(`/FT /Tx /V (Ann) /F 2 /AP << /N ${appearance} >>`), [40, 20])).toEqual(red);
});

test("a field without an appearance shows its value where the form asks for it", async () => {
  const bytes = pdfFile({
    objects: [
      widget("/FT /Tx /V (WWW) /DA (/F1 20 Tf 0 0 1 rg)"),
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>",
    ],
    pages: [{ content: filled("1 1 1"), entries: `/Annots [${firstObject} 0 R]` }],
    catalog: `/AcroForm << /NeedAppearances true /Fields [${firstObject} 0 R] /DR << /Font << /F1 ${firstObject + 1} 0 R >> >> >>`,
  });
  const { data } = await (await open(bytes)).read().raw().toBuffer({ resolveWithObject: true });
  expect(data.includes(Buffer.from([0, 0, 255]))).toBe(true);
});

const written = (font: string, text: string, more: readonly string[] = []) =>
  pdfFile({
    objects: [font, ...more],
    pages: [
      {
        box: [0, 0, 100, 30],
        content: `BT /F1 20 Tf 5 5 Td ${text} Tj ET`,
        entries: `/Resources << /Font << /F1 ${firstObject} 0 R >> >>`,
      },
    ],
  });
const trueType = (name: string, encoding = "/WinAnsiEncoding") =>
  `<< /Type /Font /Subtype /TrueType /BaseFont /${name} /Encoding ${encoding} >>`;

test.each([
  ["Arial", written(trueType("Arial"), "(A B)")],
  ["an unknown name", written(trueType("FrutigerLT"), "(A B)")],
  ["Symbol", written("<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>", "(A B)")],
])("text in %s, which is not embedded, is drawn with another font", async (_, bytes) => {
  const source = await open(bytes);
  expect(source.notes).toEqual([]);
  expect((await source.read().stats()).channels[0]?.min).toBe(0);
});

test.each([
  [
    "Cyrillic",
    written(
      trueType("Arial", "<< /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [65 /afii10017] >>"),
      "(AAA)",
    ),
  ],
  [
    "Chinese",
    written(
      `<< /Type /Font /Subtype /Type0 /BaseFont /SimSun /Encoding /UniGB-UCS2-H /DescendantFonts [${firstObject + 1} 0 R] >>`,
      "<4E2D6587>",
      [
        "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /SimSun /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> >>",
      ],
    ),
  ],
])("%s text for which no font is there is named as missing", async (_, bytes) => {
  expect((await open(bytes)).notes).toEqual([{ code: "pdf-fonts-missing" }]);
});

test("a large page is drawn smaller, within the pixels of the plan, and the notes tell the resolution", async () => {
  const inches200 = pdfFile({ pages: [{ box: [0, 0, 14_400, 14_400], content: filled("1 0 0") }] });
  const source = await open(inches200, { megapixelsIn: 1 });
  expect(source).toMatchObject({ width: 1000, height: 1000, notes: [{ code: "page-drawn-small", dpi: 5 }] });
});

test("a page that rounding would make too large for the plan is drawn", async () => {
  const source = await open(pdfFile({ pages: [{ box: [0, 0, 2500.25, 2499.75] }] }));
  expect(source).toMatchObject({ width: 5000, height: 4999, notes: [] });
});

test("a page of less than a pixel across stays within the pixels of the plan", async () => {
  const source = await open(pdfFile({ pages: [{ box: [0, 0, 0.001, 14_400] }] }), { megapixelsIn: 0.01 });
  expect(source).toMatchObject({ width: 1, height: 10_000 });
});

test("a page has the same size in every plan", async () => {
  const large = pdfFile({ pages: [{ box: [0, 0, 14_400, 14_400] }] });
  expect(await open(large, { megapixelsIn: 200 })).toMatchObject({ width: 5000, height: 5000 });
});

test("a page for which PDFium may not take the memory is refused, and not drawn in part", async () => {
  const [depth, side] = [12, 2500]; // a group of 25 megapixels takes 100 MB
  const resources = (next: number) =>
    `/Resources << /ExtGState << /G << /ca 0.9 /BM /Multiply >> >> /XObject << /F ${next} 0 R >> >>`;
  const objects = Array.from({ length: depth }, (_, i) => {
    const head = `/Type /XObject /Subtype /Form /BBox [0 0 ${side} ${side}] /Group << /S /Transparency /I true /K true >>`;
    if (i + 1 === depth) return pdfStream(`1 0 0 rg 0 0 ${side} ${side} re f`, head);
    return pdfStream("0 0 1 rg 0 0 10 10 re f /G gs /F Do", `${head} ${resources(firstObject + i + 1)}`);
  });
  const pages = [{ box: [0, 0, side, side], content: "/G gs /F Do", entries: resources(firstObject) }];
  await expect(open(pdfFile({ objects, pages }))).rejects.toMatchObject({
    code: "cannot-process",
    detail: "This page of the PDF needs more memory than is available.",
  });
});

test("no page takes more than a gigabyte", async () => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  limitMemory(memory);
  memory.grow(1000);
  expect(() => memory.grow(15_000)).toThrow(RangeError);
  expect(memory.buffer.byteLength).toBe(1001 * 65_536);
});

test("a document of thousands of pages is read as one of few", async () => {
  const pages = Array.from({ length: 5000 }, (_, i) => ({ content: filled(i === 4998 ? "0 0 1" : "1 0 0") }));
  expect(await colourAt(pdfFile({ pages }), [5, 5], 4999)).toEqual(blue);
});

const [of, of32] = ["<00>", `<${"00".repeat(32)}>`];

test("a document that needs a password is refused in a sentence", async () => {
  const locked = pdfFile({
    trailer: `/ID [${of} ${of}] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O ${of32} /U ${of32} >>`,
  });
  await expect(open(locked)).rejects.toMatchObject({
    code: "cannot-process",
    detail: "This PDF is protected by a password. Save it without one.",
  });
});

test("a form in XFA is refused by its name", async () => {
  const form = pdfFile({
    objects: [pdfStream("<xdp/>")],
    catalog: `/NeedsRendering true /AcroForm << /Fields [] /XFA ${firstObject} 0 R >>`,
  });
  await expect(open(form)).rejects.toMatchObject({ code: "cannot-process", detail: expect.stringContaining("XFA") });
});

test.each([
  ["without a page", pdfFile({ pages: [] })],
  ["of noise", Buffer.from(`%PDF-1.7\n${"noise ".repeat(99)}`)],
  ["without its objects", pdfFile().subarray(0, 60)],
])("a document %s is broken", async (_, bytes) => {
  await expect(open(bytes)).rejects.toMatchObject({ code: "broken-image" });
});

/** Form XObjects (ISO 32000-1, 8.10), each of which draws the next one ten times. */
function nestedForms(depth: number) {
  const resources = (next: number) => `/Resources << /XObject << /F ${next} 0 R >> >>`;
  const objects = Array.from({ length: depth }, (_, i) => {
    const head = "/Type /XObject /Subtype /Form /BBox [0 0 40 20]";
    if (i + 1 === depth) return pdfStream("0 0 40 20 re f", head);
    return pdfStream("/F Do ".repeat(10), `${head} ${resources(firstObject + i + 1)}`);
  });
  return pdfFile({ objects, pages: [{ content: "/F Do", entries: resources(firstObject) }] });
}

test("forms that draw each other without end are ended by the time limit", async () => {
  const path = await write(nestedForms(7));
  const opening = { file: await openInputFile(path), limits: testLimits, timeLimitMs: 300 }; // after a second they fill the memory that PDFium may have
  await expect(openPdf(opening)).rejects.toMatchObject({ code: "took-too-long" });
});

test("only a PDF has a choice of pages", async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>');
  expect(await open(svg, { page: 1 })).toMatchObject({ format: "svg" });
  await expect(open(svg, { page: 2 })).rejects.toMatchObject({
    code: "cannot-process",
    detail: "Only a PDF has pages; this file is SVG.",
  });
});

test("nothing of a document's metadata is in the result", async () => {
  const secret = pdfFile({ objects: ["<< /Author (A-SECRET) >>"], trailer: `/Info ${firstObject} 0 R` });
  const { outcome, result } = await runOperation(convert, {
    bytes: secret,
    options: { target_format: "tiff", metadata: "all-but-place" },
  });
  expect(outcome).toMatchObject({ kind: "done", source: { format: "pdf" }, result: { format: "tiff", width: 80 } });
  expect(result.includes("A-SECRET")).toBe(false);
});

test("resize makes a JPEG of the page that its options name; compress and upload say to use convert", async () => {
  const options = { width: 10, method: "fit", metadata: "copyright", page: 3 };
  const { outcome } = await runOperation(resize, { bytes: colours, options });
  expect(outcome).toMatchObject({ result: { format: "jpeg", width: 10, height: 5 } });
  expect(outcome.notes).toEqual([
    { code: "chosen-page", page: 3, pages: 3 },
    { code: "format-not-written", from: "pdf", to: "jpeg" },
  ]);
  await expect(runOperation(compress, { bytes: colours, options: {} })).rejects.toThrow("Use convert");
  await expect(runOperation(upload, { bytes: colours })).rejects.toThrow("Convert it");
});
