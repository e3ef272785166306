import { findUnprintable, openFaces, runsOf } from "@tintype/imaging/fonts";

/** A run of text in one font. */
export type TextRun = { text: string; font: Buffer };

type Weight = "regular" | "strong" | "heading";

export type PrintFonts = {
  heading: Buffer;
  /** Splits the text into runs by font; undefined if no font has one of its letters. */
  setText(text: string, weight?: Weight): TextRun[] | undefined;
  /** The first character that no body font has. */
  findUnprintable(text: string): string | undefined;
};

/** The body fonts' scripts, for messages. */
export const printedScripts = "Latin, Greek, Cyrillic or Devanagari letters";

/**
 * The fonts of receipts and invoices: Latin, Greek, Cyrillic and Devanagari; headings in Latin only. Letters of one script
 * use a single font if it has them all.
 */
export function openPrintFonts(): PrintFonts {
  const faces = {
    heading: openFaces("fraunces", 600),
    regular: [...openFaces("inter", 400), ...openFaces("devanagari", 400)],
    strong: [...openFaces("inter", 600), ...openFaces("devanagari", 600)],
  };
  const [heading] = faces.heading;
  if (!heading) throw new Error("The heading has no font");
  return {
    heading: heading.bytes,
    setText: (text, weight = "regular") =>
      runsOf(text, faces[weight])?.map(({ text: part, face }) => ({ text: part, font: face.bytes })),
    findUnprintable: (text) => findUnprintable(text, faces.regular),
  };
}
