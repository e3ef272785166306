import { DomainError, type InputFormat } from "@tintype/contract";
import sharp, { type Metadata, type SharpOptions } from "sharp";
import { inColour } from "../colour/in-colour.ts";
import type { PictureLimits } from "../task.ts";
import { checkPixels } from "./limits.ts";
import { kindOfPixels } from "./pixel-kind.ts";
import type { Source } from "./source.ts";

type Opening = {
  /** The picture's file; `input` carries its bytes if libvips must not read the file itself. */
  path: string;
  input?: Uint8Array | string;
  sizeBytes: number;
  format: InputFormat;
  limits: PictureLimits;
  notes?: string[];
  options?: SharpOptions;
  /** The size that the file claims, for formats of which libvips measures the size itself. */
  canvas?: { width: number; height: number } | undefined;
  /** Pages of the file, where `input` has the first one alone. */
  pages?: number;
};

/**
 * Strict about damage, tolerant of harmless warnings; the limit on pixels is ours, checked on the header. Only a
 * warning reports a missing part of a JPEG; TIFFs and PNGs cause warnings for tags and profiles that do not matter.
 */
const strictness = (format: InputFormat, { toleratesHarmlessWarnings }: PictureLimits) =>
  ({
    limitInputPixels: false,
    failOn: format === "jpeg" && !toleratesHarmlessWarnings ? "warning" : "error",
    sequentialRead: true,
  }) as const satisfies SharpOptions;

/**
 * Opens the formats that libvips decodes.
 * @throws broken-image when the header cannot be read, too-many-pixels, cannot-process for pixels of unknown meaning
 */
export async function openWithLibvips(opening: Opening): Promise<Source> {
  const { path, input = path, sizeBytes, format, limits, notes = [] } = opening;
  const options: SharpOptions = { ...strictness(format, limits), ...opening.options };
  const header = await sharp(input, options)
    .metadata()
    .catch((cause: unknown) => {
      throw new DomainError("broken-image", { cause });
    });
  const pages = opening.pages ?? header.pages ?? 1;
  const isAnimated = pages > 1 && (format === "gif" || format === "webp" || format === "png");
  const [width, height] = [header.width, header.pageHeight ?? header.height];
  checkPixels({ width, height, frames: isAnimated ? pages : 1 }, limits);
  if (opening.canvas) checkPixels({ ...opening.canvas, frames: pages }, limits);
  // libvips cannot turn a strip of frames; and no browser turns moving pictures either.
  const turned = !isAnimated && (header.orientation ?? 1) >= 5;
  const colour = kindOfPixels(header);
  return {
    path,
    format,
    sizeBytes,
    width: turned ? height : width,
    height: turned ? width : height,
    pages,
    isAnimated,
    hasAlpha: header.hasAlpha,
    ...colour,
    hasHalvedColour: header.chromaSubsampling === "4:2:0",
    notes: [...notes, ...notesOf(header, { pages, isAnimated })],
    read: ({ frames = "first", colour: wanted = "own" } = {}) => {
      const image = sharp(input, { ...options, ...(frames === "all" && isAnimated ? { animated: true } : {}) });
      return inColour(isAnimated ? image : image.autoOrient(), colour, wanted);
    },
  };
}

/** The losses by reading alone. */
function notesOf({ space, depth }: Metadata, { pages, isAnimated }: { pages: number; isAnimated: boolean }): string[] {
  return [
    ...(pages > 1 && !isAnimated ? [`Only the first of ${pages} pages is kept.`] : []),
    ...(space === "cmyk" ? ["Colours for print (CMYK) are converted to sRGB."] : []),
    ...(depth === "float" ? ["Numbers in floating point are reduced to 8 bits a channel."] : []),
  ];
}
