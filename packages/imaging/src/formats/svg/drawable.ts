import { withAppliedStyles } from "./apply-styles.ts";
import { withDrawablePictures } from "./drawable-pictures.ts";
import { withPixels } from "./lengths.ts";
import { undrawnNotes } from "./undrawn.ts";

/** Text for librsvg, and a sentence for each thing that it will not draw. */
export type Drawable = { text: string; notes: string[] };

/**
 * Makes the plain text of an SVG ready to be drawn as browsers draw it: lengths become pixels at 96 to the inch, styles
 * that librsvg does not understand are written out, and pictures inside become such that it reads.
 *
 * Width and height give its size. If one is missing or a percentage, the view box gives it; without one, the extent of
 * the drawn shapes does.
 */
export async function drawableSvg(plain: string): Promise<Drawable> {
  const notes = new Set<string>();
  const styled = withAppliedStyles(withFallbacks(withPixels(plain)), notes);
  const text = await withDrawablePictures(withPixels(styled), { notes, draw: drawableSvg });
  return { text, notes: [...notes, ...undrawnNotes(text)] };
}

/** In a `switch` librsvg takes HTML, and then does not draw it: without it the other choice is drawn. */
const withFallbacks = (plain: string): string =>
  plain.includes("<switch")
    ? plain.replaceAll(/(<switch[^>]*>\s*)<foreignObject[\s>][\s\S]*?<\/foreignObject>(?=\s*<(?!\/))/g, "$1")
    : plain;
