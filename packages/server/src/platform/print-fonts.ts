import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { locale } from "@tintype/contract";

/** A font's bytes, and whether it has given characters. */
type FontFace = { bytes: Buffer; has(text: string): boolean };

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

const subsets = ["latin", "latin-ext", "vietnamese", "cyrillic", "cyrillic-ext", "greek", "greek-ext"];
/** One file of each package; the others are next to it. */
const placesOfFonts = () => ({
  fraunces: import.meta.resolve("@fontsource/fraunces/files/fraunces-latin-600-normal.woff"),
  inter: import.meta.resolve("@fontsource/inter/files/inter-latin-400-normal.woff"),
  devanagari: import.meta.resolve(
    "@fontsource/noto-sans-devanagari/files/noto-sans-devanagari-devanagari-400-normal.woff",
  ),
});

/** The body fonts' scripts, for messages. */
export const printedScripts = "Latin, Greek, Cyrillic or Devanagari letters";

/**
 * The fonts of receipts and invoices: Latin, Greek, Cyrillic and Devanagari; headings in Latin only. Letters of one script
 * use a single font if it has them all.
 */
export function openPrintFonts(): PrintFonts {
  const places = placesOfFonts();
  const facesOf = (weight: number) => [
    ...subsets.map((subset) => openFace(places.inter, `inter-${subset}-${weight}-normal.woff`)),
    openFace(places.devanagari, `noto-sans-devanagari-devanagari-${weight}-normal.woff`),
  ];
  const heading = openFace(places.fraunces, "fraunces-latin-600-normal.woff");
  const faces = {
    heading: [
      heading,
      openFace(places.fraunces, "fraunces-latin-ext-600-normal.woff"),
      openFace(places.fraunces, "fraunces-vietnamese-600-normal.woff"),
    ],
    regular: facesOf(400),
    strong: facesOf(600),
  };
  return {
    heading: heading.bytes,
    setText: (text, weight = "regular") => stretchesOf(text, faces[weight]),
    findUnprintable: (text) =>
      lettersOf(text).find((segment) => segment.trim() && !faces.regular.some(({ has }) => has(segment))),
  };
}

const require = createRequire(import.meta.url);

function openFace(place: string, file: string): FontFace {
  // Loaded lazily: every process reads the brand, few print, and the library is slow to load.
  const fontkit = require("fontkit") as typeof import("fontkit"); // the package's own types
  const bytes = readFileSync(new URL(file, place));
  const font = fontkit.create(bytes);
  if (!("hasGlyphForCodePoint" in font)) throw new Error(`${file} is a collection of fonts`);
  const has = (text: string) => [...text].every((letter) => font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0));
  return { bytes, has };
}

/** Grapheme clusters: letters with their marks. */
const lettersOf = (text: string): string[] =>
  Array.from(new Intl.Segmenter(locale, { granularity: "grapheme" }).segment(text), ({ segment }) => segment);

function stretchesOf(text: string, faces: readonly FontFace[]): TextRun[] | undefined {
  const stretches: { text: string; face: FontFace }[] = [];
  for (const segment of lettersOf(text)) {
    const last = stretches.at(-1);
    const face = last?.face.has(segment) ? last.face : faces.find(({ has }) => has(segment));
    if (!face) return undefined;
    if (last?.face === face) last.text += segment;
    else stretches.push({ text: segment, face });
  }
  return stretches.map(({ text: part, face }) => ({ text: part, font: face.bytes }));
}
