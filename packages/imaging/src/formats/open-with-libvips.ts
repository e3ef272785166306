import { DomainError, type InputFormat } from "@tintype/contract";
import sharp, { type Metadata, type SharpOptions } from "sharp";
import { inColour } from "../colour/in-colour.ts";
import type { PictureLimits } from "../task.ts";
import { checkPixels } from "./limits.ts";
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

/**
 * The loaders of libvips for the formats of `openSource`. libvips has many more (its own format, matrices, CSV, HDR
 * formats…). A stranger's bytes could reach the code of each, because libvips chooses by its own look at the file.
 */
const needed = ["Jpeg", "Png", "Webp", "Nsgif", "Tiff", "Heif", "Svg"];

/** Leaves libvips, for this whole process, with the loaders that are needed. */
export function blockOtherLoaders(): void {
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: needed.map((name) => `VipsForeignLoad${name}`) });
}

/** Channels that a picture can have at most, alpha among them, by its colour space. */
const mostChannels: Partial<Record<Metadata["space"], number>> = {
  "b-w": 2,
  grey16: 2,
  srgb: 4,
  rgb: 4,
  rgb16: 4,
  scrgb: 4,
  lab: 4,
  labs: 4,
  cmyk: 5,
};

/**
 * The kind of pixels that the header describes.
 * @throws cannot-process for numbers without a known white: 32 bit integers and grey in floating point, as instruments
 * write them, would become black; and for channels beyond colour and alpha
 */
export function kindOfPixels({
  space,
  depth,
  channels,
  hasProfile,
}: Pick<Metadata, "space" | "depth" | "hasProfile"> & { channels: number }): Pick<
  Source,
  "isGrey" | "hasProfile" | "depth"
> {
  const isFloatingColour = depth === "float" && (space === "scrgb" || space === "lab");
  if (depth !== "uchar" && depth !== "ushort" && !isFloatingColour && space !== "labs")
    throw new DomainError("cannot-process", {
      detail: `This picture is made of numbers of the kind "${depth}", which have no known white; 8 and 16 bits are worked on.`,
    });
  if (channels > (mostChannels[space] ?? 0))
    throw new DomainError("cannot-process", {
      detail: `This picture has ${channels} channels; colour and transparency are worked on.`,
    });
  return {
    isGrey: space === "b-w" || space === "grey16",
    // A profile of CMYK or Lab ends with its conversion to sRGB.
    hasProfile: hasProfile && /^(srgb|rgb|rgb16|b-w|grey16)$/.test(space),
    depth: depth === "ushort" && space !== "cmyk" ? 16 : 8,
  };
}
