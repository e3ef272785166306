import type { Note } from "@tintype/contract";
import { addressIn, readPieces } from "./pieces.ts";

/** Features that librsvg 2.63 does not render, and the note that names each. */
const features: readonly [pattern: RegExp, note: Note][] = [
  [/<(?:[\w.-]+:)?textPath[\s>]/, { code: "text-path-not-drawn" }],
  [/<(?:[\w.-]+:)?foreignObject[\s>]/, { code: "embedded-html-not-drawn" }],
  [/<(?:[\w.-]+:)?(?:animate|animateTransform|animateMotion|set)[\s/>]|@keyframes/, { code: "drawing-stands-still" }],
  [/[\s:;"'(,](?:oklch|oklab|lch|lab|color|color-mix)\(/i, { code: "css-colours-may-be-missing" }],
  [
    /\b(?:offset-path|mask-image|clip-path)\s*:\s*(?:path|url\((?!["']?#)|ray|polygon|circle|inset|linear-gradient|radial-gradient)\(/,
    { code: "css-shapes-not-applied" },
  ],
  [/[;"'{\s](?:rotate|scale|translate)\s*:\s*[^;"'{}]*\d/, { code: "css-transforms-not-applied" }],
  [/[;"'{\s]d\s*:\s*path\(/, { code: "css-paths-not-drawn" }],
  [/\bcalc\(|(?<![\w-])(?:min|max|clamp)\(\s*[\d.]/, { code: "calculated-sizes-may-be-missing" }],
];

/** Content that is not rendered here or not rendered as in a browser, and CSS that minifiers do not support. */
const hidden =
  /<(?:[\w.-]+:)?(?:textPath|foreignObject)[\s>]|transform-(?:origin|box)|offset-path|[;"'{\s](?:rotate|scale|translate|d)\s*:|@(?:layer|container|property|scope)|&amp;|[{;}][^{}"'@]*\{[^{}]*\{|:(?:is|where|has)\(/;

/** Whether a drawing has parts that a comparison of librsvg's renderings cannot check. */
export const hidesParts = (plain: string): boolean => hidden.test(withoutData(plain));

/** Long `data:` URLs may contain any letters. */
const withoutData = (text: string) => text.replaceAll(/(["'(])data:[^"')]*/g, "$1");

/**
 * The features of the drawing that librsvg omits. `drawable` is its input: what could be rewritten is
 * no longer in it.
 */
export function undrawnNotes(drawable: string): Note[] {
  const text = withoutData(drawable);
  const notes = features.filter(([pattern]) => pattern.test(text)).map(([, note]) => note);
  const fonts = namedFonts(text);
  if (fonts.length > 0) notes.push({ code: "fonts-may-be-missing", fonts: fonts.slice(0, maxNamedFonts) });
  if (hasBackground(text)) notes.push({ code: "background-colour-not-drawn" });
  if (refersElsewhere(drawable)) notes.push({ code: "linked-images-not-drawn" });
  return notes;
}

const background = /(?<![\w-])background(?:-color)?\s{0,9}:\s{0,9}(?!none|transparent|inherit|initial|unset|[\s;])/;
const rootRules = /(?<![\w.#-])(?:svg|:root)\s{0,9}\{([^{}]{0,2000})/g;

/** Whether CSS gives the root a background, which browsers draw. */
function hasBackground(text: string): boolean {
  for (const piece of readPieces(text)) {
    if (piece.kind !== "open") continue;
    const [, double, single] = /\sstyle\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)')/.exec(piece.tag) ?? [];
    if (background.test(double ?? single ?? "")) return true;
    break;
  }
  return [...text.matchAll(rootRules)].some(([, rule = ""]) => background.test(rule));
}

const maxNamedFonts = 3;

/** Names that every system maps to a font of its own. */
const generic =
  /^(serif|sans-serif|monospace|cursive|fantasy|system-ui|ui-[\w-]+|math|emoji|inherit|initial|unset|-apple-system|blinkmacsystemfont|sans|mono)$/i;

function namedFonts(text: string): string[] {
  if (!/<(?:[\w.-]+:)?text[\s>]/.test(text)) return [];
  // The font of an @font-face rule is not one that a text requests.
  const withoutFontFaces = text.replaceAll(/@font-face\s*\{[^}]*\}/g, "");
  const lists = [
    ...withoutFontFaces.matchAll(/font-family\s*[=:]\s*(?:"([^"]*)"|'([^']*)'|([^;"'{}<>]+(?:["'][^"']*["'])?))/g),
    ...withoutFontFaces.matchAll(/(?<![\w-])font\s*:[^;"'{}<>]*?\d[\w.%/]*\s+()()([^;{}<>]+)/g),
  ].map(([, double, single, bare]) => double || single || bare || "");
  const first = lists.map((list) => (list.split(",")[0] ?? "").replaceAll(/["']|&quot;|&apos;|!important/g, "").trim());
  return [...new Set(first)].filter((name) => name !== "" && /^[\w .-]{1,60}$/.test(name) && !generic.test(name));
}

function refersElsewhere(text: string): boolean {
  if (!/<(?:[\w.-]+:)?(?:image|feImage)[\s]/.test(text)) return false;
  for (const piece of readPieces(text)) {
    if (piece.kind !== "open" || (piece.name !== "image" && piece.name !== "feImage")) continue;
    const address = addressIn(piece.tag) ?? "";
    if (address !== "" && !address.startsWith("#") && !address.startsWith("data:")) return true;
  }
  return false;
}
