import { buffer } from "node:stream/consumers";
import type { PaymentSheet } from "@tintype/contract";
import PDFDocument from "pdfkit";
import type { Brand } from "../../platform/brand/brand.ts";
import { openPrintFonts, type PrintFonts, type TextRun } from "../../platform/print-fonts.ts";

// The paper style of BRAND.md, in points.
const ink = "#16130f";
const muted = "#665f56";
const line = "#ddd8cf";
const left = 64;
const right = 531;
const middle = 304;
const firstTop = 64;
/** The baseline of the name and the title. */
const headBase = 89;
const namePt = 26;
const bottom = 800;
const linePt = 20;
/** From the column headings to the sentence below the total. */
const tablePt = 160;

const unprintable = "This file cannot show every character of the name. The receipt on your account page does.";

/**
 * A payment's receipt as an A4 PDF, with the words and amounts of the page. If our fonts lack a letter of the buyer's
 * name, the receipt says so in place of the name.
 */
export async function writeReceiptPdf(
  sheet: PaymentSheet,
  { now, brand }: { now: Date; brand: Pick<Brand, "name" | "colours"> },
): Promise<Buffer> {
  const fonts = openPrintFonts();
  const pdf = new PDFDocument({
    size: "A4",
    margin: 0,
    lang: "en",
    displayTitle: true,
    info: {
      Title: `${brand.name} ${sheet.title.toLowerCase()}`,
      Author: brand.name,
      CreationDate: now,
      ModDate: now,
    },
  });
  const whole = buffer(pdf);
  draw(pdf, sheet, { fonts, brand });
  pdf.end();
  return whole;
}

function draw(
  pdf: PDFKit.PDFDocument,
  sheet: PaymentSheet,
  { fonts, brand }: { fonts: PrintFonts; brand: Pick<Brand, "name" | "colours"> },
): void {
  const writing = { pdf, fonts };
  const titleLeft = right - pdf.font(fonts.heading).fontSize(20).widthOfString(sheet.title);
  pdf.fillColor(ink).text(sheet.title, titleLeft, headBase, { lineBreak: false, baseline: "alphabetic" });
  writeName(writing, { brand, width: titleLeft - 24 - left });

  if (sheet.notice) write(writing, { text: sheet.notice, x: left, y: 118, weight: "strong" });
  const { buyer, facts } = sheet;
  const all = [
    {
      label: buyer.label,
      values: [
        fonts.setText(buyer.name) ? buyer.name : unprintable,
        ...(buyer.address?.split("\n") ?? []),
        buyer.email,
      ].filter(Boolean),
    },
    ...facts.map(({ label, value }) => ({ label, values: value.split("\n") })),
  ];
  let top = 162;
  for (let index = 0; index < all.length; index += 2) {
    const ends = all.slice(index, index + 2).map(({ label, values }, column) => {
      const x = column === 0 ? left : middle;
      const width = column === 0 ? middle - left - 20 : right - middle;
      write(writing, { text: label, x, y: top, colour: muted });
      return values.reduce((y, text) => write(writing, { text, x, y, width }) + 2, top + 17);
    });
    top = Math.max(...ends) + 22;
  }

  top += 30;
  const closing = sheet.closing.split("\n");
  // Kept on one page: a table that is split is hard to check.
  if (top + tablePt + sheet.lines.length * linePt + closing.length * 2 * linePt > bottom) {
    pdf.addPage();
    top = firstTop;
  }
  write(writing, { text: "What", x: left, y: top, colour: muted });
  writeRight(writing, { text: "Amount", y: top, colour: muted });
  rule(pdf, top + 22);
  write(writing, { text: sheet.item, x: left, y: top + 34 });
  writeRight(writing, { text: sheet.amount, y: top + 34 });
  rule(pdf, top + 58);
  for (const { label, amount } of sheet.lines) {
    write(writing, { text: label, x: left, y: top + 70, colour: muted });
    writeRight(writing, { text: amount, y: top + 70, colour: muted });
    top += linePt;
  }
  write(writing, { text: sheet.total.label, x: left, y: top + 74, weight: "strong" });
  writeRight(writing, { text: `${sheet.amount} ${sheet.total.currency}`, y: top + 71, weight: "strong", size: 14 });
  if (sheet.returned) {
    write(writing, { text: sheet.returned.label, x: left, y: top + 102 });
    writeRight(writing, { text: sheet.returned.amount, y: top + 102 });
  }
  let below = top + 140;
  for (const text of closing) below = write(writing, { text, x: left, y: below, colour: muted }) + 4;
}

type PdfContext = { pdf: PDFKit.PDFDocument; fonts: PrintFonts };

/** The product's name in the header, as large as fits beside the title; omitted if no font has its letters. */
function writeName(
  { pdf, fonts }: PdfContext,
  { brand, width }: { brand: Pick<Brand, "name" | "colours">; width: number },
): void {
  const stretches = fonts.setText(brand.name, "heading") ?? fonts.setText(brand.name, "strong") ?? [];
  const widthAt = (size: number) =>
    stretches.reduce((sum, { text, font }) => sum + pdf.font(font).fontSize(size).widthOfString(text), 0);
  const wordmark = pdf.linearGradient(left, 0, left + 96, 0);
  wordmark.stop(0, "#e8a33d").stop(0.5, "#d8432b").stop(1, "#6b2a4a");
  pdf.fontSize(Math.min(namePt, (namePt * width) / widthAt(namePt))).fillColor(brand.colours?.paper.text ?? wordmark);
  let x = left;
  for (const { text, font } of stretches) {
    pdf.font(font).text(text, x, headBase, { lineBreak: false, baseline: "alphabetic" });
    x += pdf.widthOfString(text);
  }
}

type Line = {
  text: string;
  y: number;
  weight?: "regular" | "strong";
  colour?: string;
  size?: number;
};

/** Writes from `x` on, wrapping where needed. Returns the y below it. */
function write(
  { pdf, fonts }: PdfContext,
  { text, x, y, width, ...style }: Line & { x: number; width?: number },
): number {
  const stretches = fonts.setText(text, style.weight) ?? fonts.setText(unprintable, style.weight) ?? [];
  pdf.fontSize(style.size ?? 10.5).fillColor(style.colour ?? ink);
  for (const [index, stretch] of stretches.entries()) {
    pdf.font(stretch.font);
    const options = { width: width ?? right - x, lineGap: 3, continued: index < stretches.length - 1 };
    if (index === 0) pdf.text(stretch.text, x, y, options);
    else pdf.text(stretch.text, options);
  }
  return pdf.y;
}

/** Writes one right-aligned line with tabular figures. */
function writeRight({ pdf, fonts }: PdfContext, { text, y, ...style }: Line): void {
  const stretches = fonts.setText(text, style.weight) ?? [];
  pdf.fontSize(style.size ?? 10.5).fillColor(style.colour ?? ink);
  const widthOf = ({ text: part, font }: TextRun) => pdf.font(font).widthOfString(part, { features: ["tnum"] });
  let x = right - stretches.reduce((sum, stretch) => sum + widthOf(stretch), 0);
  for (const stretch of stretches) {
    const width = widthOf(stretch);
    pdf.text(stretch.text, x, y, { lineBreak: false, features: ["tnum"] });
    x += width;
  }
}

const rule = (pdf: PDFKit.PDFDocument, y: number) =>
  pdf.moveTo(left, y).lineTo(right, y).lineWidth(0.75).strokeColor(line).stroke();
