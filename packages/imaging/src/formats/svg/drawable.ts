import { sniffFormat } from "@tintype/codecs/headers";
import { DomainError, type Note } from "@tintype/contract";
import sharp from "sharp";
import { uniqueNotes } from "../unique-notes.ts";
import { withAppliedStyles } from "./apply-styles.ts";
import { embeddedBytes } from "./embedded.ts";
import { withPixels } from "./lengths.ts";
import { plainSvg } from "./plain.ts";
import { undrawnNotes } from "./undrawn.ts";

/** The text for librsvg, and a sentence for each feature that it will not render. */
export type Drawable = { text: string; notes: Note[] };

/**
 * Prepares the plain text of an SVG so that librsvg renders it as browsers do: lengths become pixels at 96 per inch,
 * styles that librsvg does not support are inlined, and embedded images are converted to formats that it reads.
 *
 * Width and height give its size. If one is missing or a percentage, the view box gives it; without one, the bounding
 * box of the rendered shapes does.
 */
export async function drawableSvg(plain: string): Promise<Drawable> {
  const notes: Note[] = [];
  const styled = withAppliedStyles(withFallbacks(withPixels(plain)), notes);
  const text = await withDrawablePictures(withPixels(styled), { notes, draw: drawableSvg });
  return { text, notes: uniqueNotes([...notes, ...undrawnNotes(text)]) };
}

/** In a `switch` librsvg selects foreignObject but does not render it: without it the fallback is rendered. */
const withFallbacks = (plain: string): string =>
  plain.includes("<switch")
    ? plain.replaceAll(/(<switch[^>]*>\s*)<foreignObject[\s>][\s\S]*?<\/foreignObject>(?=\s*<(?!\/))/g, "$1")
    : plain;

type DrawContext = { notes: Note[]; draw: (plain: string) => Promise<Drawable> };

/** librsvg reads PNG, and JPEG that is upright and not CMYK. All other embedded images become PNG. */
async function withDrawablePictures(text: string, { notes, draw }: DrawContext): Promise<string> {
  if (!text.includes("data:")) return text;
  const made = new Map<string, string>();
  for (const [, , address = ""] of text.matchAll(pictures))
    if (!made.has(address)) made.set(address, (await drawablePicture(address, { notes, draw })) ?? address);
  return text.replaceAll(pictures, (whole, _, address: string) =>
    whole.replace(address, () => made.get(address) ?? address),
  );
}

const pictures = /href\s*=\s*(["'])\s*(data:[^"']*)\1/g;

async function drawablePicture(address: string, { notes, draw }: DrawContext): Promise<string | undefined> {
  const bytes = embeddedBytes(address);
  const format = sniffFormat(bytes);
  if (!format || format === "png") return undefined;
  try {
    if (format === "svg") {
      const plain = plainSvg(bytes);
      const drawn = await draw(plain);
      notes.push(...drawn.notes);
      return drawn.text === plain ? undefined : dataAddress("image/svg+xml", Buffer.from(drawn.text));
    }
    const { orientation = 1, space } = await sharp(bytes).metadata();
    if (format === "jpeg" && orientation === 1 && space !== "cmyk") return undefined;
    return dataAddress(
      "image/png",
      await (format === "webp" ? sharp(bytes) : sharp(bytes).autoOrient()).png({ compressionLevel: 1 }).toBuffer(),
    );
  } catch (problem) {
    if (problem instanceof DomainError && problem.code === "cannot-process") throw problem;
    notes.push({ code: "embedded-image-unreadable" });
    return undefined;
  }
}

const dataAddress = (type: string, bytes: Buffer) => `data:${type};base64,${bytes.toString("base64")}`;
