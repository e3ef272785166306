import { buffer } from "node:stream/consumers";
import type { PaymentSheet } from "@tintype/contract";
import PDFDocument from "pdfkit";
import type { Brand } from "../../platform/brand/brand.ts";
import { openPrintFonts, type PrintFonts, type Stretch } from "../../platform/print-fonts.ts";

// BRAND.md's paper, in points.
const ink = "#16130f";
const muted = "#665f56";
const line = "#ddd8cf";
const left = 64;
const right = 531;
const middle = 304;
const firstTop = 64;
/** The line that the name and the title stand on. */
const headBase = 89;
const namePt = 26;
const bottom = 800;
const linePt = 20;
/** From the names of the columns to the sentence below the total. */
const tablePt = 160;

const unprintable = "This file cannot show every character of the name. The receipt on your account page does.";

/**
 * A payment's receipt as PDF, A4: the words and figures of the page. If our fonts lack a letter of the buyer's name, the
 * file says so in the name's place and does not print a name with holes.
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
  // Whole on one page: a table that is cut is hard to check.
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

type Writing = { pdf: PDFKit.PDFDocument; fonts: PrintFonts };

/** The product's name at the head, as large as fits beside the title; nothing where no font has its letters. */
function writeName(
  { pdf, fonts }: Writing,
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

/** Writes from `x` on, over several lines where it must; answers the y below it. */
function write({ pdf, fonts }: Writing, { text, x, y, width, ...look }: Line & { x: number; width?: number }): number {
  const stretches = fonts.setText(text, look.weight) ?? fonts.setText(unprintable, look.weight) ?? [];
  pdf.fontSize(look.size ?? 10.5).fillColor(look.colour ?? ink);
  for (const [index, stretch] of stretches.entries()) {
    pdf.font(stretch.font);
    const options = { width: width ?? right - x, lineGap: 3, continued: index < stretches.length - 1 };
    if (index === 0) pdf.text(stretch.text, x, y, options);
    else pdf.text(stretch.text, options);
  }
  return pdf.y;
}

/** Writes one line that ends at the right edge, with figures of one width. */
function writeRight({ pdf, fonts }: Writing, { text, y, ...look }: Line): void {
  const stretches = fonts.setText(text, look.weight) ?? [];
  pdf.fontSize(look.size ?? 10.5).fillColor(look.colour ?? ink);
  const widthOf = ({ text: part, font }: Stretch) => pdf.font(font).widthOfString(part, { features: ["tnum"] });
  let x = right - stretches.reduce((sum, stretch) => sum + widthOf(stretch), 0);
  for (const stretch of stretches) {
    const width = widthOf(stretch);
    pdf.text(stretch.text, x, y, { lineBreak: false, features: ["tnum"] });
    x += width;
  }
}

const rule = (pdf: PDFKit.PDFDocument, y: number) =>
  pdf.moveTo(left, y).lineTo(right, y).lineWidth(0.75).strokeColor(line).stroke();
