import { readFile } from "node:fs/promises";
import * as fontkit from "fontkit";

/** A font's bytes, and the characters that it has. */
type Face = { bytes: Buffer; has(text: string): boolean };

/** A stretch of text in one font. */
export type Stretch = { text: string; font: Buffer };

export type ReceiptFonts = {
  heading: Buffer;
  /** The text in the fonts that have its letters; undefined where no font has one of them. */
  setText(text: string, weight?: "regular" | "strong"): Stretch[] | undefined;
};

const subsets = ["latin", "latin-ext", "vietnamese", "cyrillic", "cyrillic-ext", "greek", "greek-ext"];
/** One file of each package; the others lie beside it. */
const places = {
  fraunces: import.meta.resolve("@fontsource/fraunces/files/fraunces-latin-600-normal.woff"),
  inter: import.meta.resolve("@fontsource/inter/files/inter-latin-400-normal.woff"),
  devanagari: import.meta.resolve(
    "@fontsource/noto-sans-devanagari/files/noto-sans-devanagari-devanagari-400-normal.woff",
  ),
};

/** Latin, Greek, Cyrillic and Devanagari. The letters of one script come from one font wherever it has them all. */
export async function openReceiptFonts(): Promise<ReceiptFonts> {
  const facesOf = (weight: number) =>
    Promise.all([
      ...subsets.map((subset) => openFace(places.inter, `inter-${subset}-${weight}-normal.woff`)),
      openFace(places.devanagari, `noto-sans-devanagari-devanagari-${weight}-normal.woff`),
    ]);
  const [heading, regular, strong] = await Promise.all([
    openFace(places.fraunces, "fraunces-latin-600-normal.woff"),
    facesOf(400),
    facesOf(600),
  ]);
  return {
    heading: heading.bytes,
    setText: (text, weight = "regular") => stretchesOf(text, weight === "strong" ? strong : regular),
  };
}

async function openFace(place: string, file: string): Promise<Face> {
  const bytes = await readFile(new URL(file, place));
  const font = fontkit.create(bytes);
  if (!("hasGlyphForCodePoint" in font)) throw new Error(`${file} is a collection of fonts`);
  const has = (text: string) => [...text].every((letter) => font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0));
  return { bytes, has };
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

function stretchesOf(text: string, faces: readonly Face[]): Stretch[] | undefined {
  const stretches: { text: string; face: Face }[] = [];
  for (const { segment } of graphemes.segment(text)) {
    const last = stretches.at(-1);
    const face = last?.face.has(segment) ? last.face : faces.find(({ has }) => has(segment));
    if (!face) return undefined;
    if (last?.face === face) last.text += segment;
    else stretches.push({ text: segment, face });
  }
  return stretches.map(({ text: part, face }) => ({ text: part, font: face.bytes }));
}
