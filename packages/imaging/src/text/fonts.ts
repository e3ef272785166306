import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { locale } from "@tintype/contract";
import type { Font } from "fontkit";

/** One file of a font: the letters of some scripts. */
export type FontFace = { bytes: Buffer; font: Font; has(text: string): boolean };
export type FontFamily = "inter" | "fraunces" | "devanagari";
export type FontWeight = 400 | 600;

/** A run of text in one face. */
export type TextRun = { text: string; face: FontFace };

/** One file of each family, whose others are next to it, and the scripts that have a file of their own. */
const families = {
  inter: {
    place: () => import.meta.resolve("@fontsource/inter/files/inter-latin-400-normal.woff"),
    subsets: ["latin", "latin-ext", "vietnamese", "cyrillic", "cyrillic-ext", "greek", "greek-ext"],
    name: "inter",
  },
  fraunces: {
    place: () => import.meta.resolve("@fontsource/fraunces/files/fraunces-latin-600-normal.woff"),
    subsets: ["latin", "latin-ext", "vietnamese"],
    name: "fraunces",
  },
  devanagari: {
    place: () =>
      import.meta.resolve("@fontsource/noto-sans-devanagari/files/noto-sans-devanagari-devanagari-400-normal.woff"),
    subsets: ["devanagari"],
    name: "noto-sans-devanagari",
  },
} as const satisfies Record<FontFamily, object>;

/** The files of a family in one weight; the first has Latin letters. */
export function openFaces(family: FontFamily, weight: FontWeight): FontFace[] {
  const { place, subsets, name } = families[family];
  return subsets.map((subset) => openFace(new URL(`${name}-${subset}-${weight}-normal.woff`, place())));
}

const require = createRequire(import.meta.url);

function openFace(file: URL): FontFace {
  // Loaded lazily: few processes set text, and the library is slow to load.
  const fontkit = require("fontkit") as typeof import("fontkit"); // the package's own types
  const bytes = readFileSync(file);
  const font = fontkit.create(bytes);
  if (!("hasGlyphForCodePoint" in font)) throw new Error(`${file.pathname} is a collection of fonts`);
  const has = (text: string) => [...text].every((letter) => font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0));
  return { bytes, font, has };
}

/** Grapheme clusters: letters with their marks. */
export const lettersOf = (text: string): string[] =>
  Array.from(new Intl.Segmenter(locale, { granularity: "grapheme" }).segment(text), ({ segment }) => segment);

/** The first letter that no face has. */
export const findUnprintable = (text: string, faces: readonly FontFace[]): string | undefined =>
  lettersOf(text).find((letter) => letter.trim() && !faces.some(({ has }) => has(letter)));

/** Splits the text by face; undefined if no face has one of its letters. Letters of one script are in one face. */
export function runsOf(text: string, faces: readonly FontFace[]): TextRun[] | undefined {
  const runs: TextRun[] = [];
  for (const letter of lettersOf(text)) {
    const last = runs.at(-1);
    const face = last?.face.has(letter) ? last.face : faces.find(({ has }) => has(letter));
    if (!face) return undefined;
    if (last?.face === face) last.text += letter;
    else runs.push({ text: letter, face });
  }
  return runs;
}
