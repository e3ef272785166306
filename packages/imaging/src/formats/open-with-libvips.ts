import { DomainError, type InputFormat, type Note } from "@tintype/contract";
import sharp, { type Metadata, type SharpOptions } from "sharp";
import { inColour } from "../colour/in-colour.ts";
import { brokenImage } from "../raster/broken-image.ts";
import type { PictureLimits } from "../task.ts";
import type { InputFile } from "./input-file.ts";
import { checkPixels } from "./limits.ts";
import type { FileOpenOptions, Source } from "./source.ts";

type LibvipsOpenOptions = Omit<FileOpenOptions, "file"> & {
  file: Pick<InputFile, "path" | "sizeBytes">;
  /** The bytes or path that libvips reads instead of the file. */
  input?: Uint8Array | string;
  format: InputFormat;
  notes?: Note[];
  options?: SharpOptions;
  /** The size that the file claims, where it differs from the size that libvips reports. */
  canvas?: { width: number; height: number } | undefined;
  /** Whether the file is upright, whatever libvips reads in it. */
  isUpright?: boolean;
  /** Pages of the file, if `input` has only the first one. */
  pages?: number;
};

/**
 * Strict about damage, tolerant of harmless warnings. Our own limit on pixels is checked on the header. libjpeg reports
 * missing data only as a warning; libtiff and libpng also warn about tags and profiles that do not affect the pixels.
 */
const strictness = (format: InputFormat, { toleratesHarmlessWarnings }: PictureLimits) =>
  ({
    limitInputPixels: false,
    failOn: format === "jpeg" && !toleratesHarmlessWarnings ? "warning" : "error",
    sequentialRead: true,
  }) as const satisfies SharpOptions;

/**
 * Opens a picture of a format that libvips decodes.
 * @throws broken-image when the header cannot be read, too-many-pixels, cannot-process as `kindOfPixels`
 */
export async function openWithLibvips(options: LibvipsOpenOptions): Promise<Source> {
  const { file, input = file.path, format, limits, notes = [] } = options;
  const sharpOptions: SharpOptions = { ...strictness(format, limits), ...options.options };
  const header = await sharp(input, sharpOptions).metadata().catch(brokenImage);
  const pages = options.pages ?? header.pages ?? 1;
  const isAnimated = pages > 1 && (format === "gif" || format === "webp" || format === "png");
  const [width, height] = [header.width, header.pageHeight ?? header.height];
  checkPixels({ width, height, frames: isAnimated ? pages : 1 }, limits);
  if (options.canvas) checkPixels({ ...options.canvas, frames: pages }, limits);
  // libvips cannot rotate a strip of frames; browsers ignore the orientation of animations, and of any WebP.
  const isUpright = isAnimated || options.isUpright || format === "webp";
  const turned = !isUpright && (header.orientation ?? 1) >= 5;
  const colour = kindOfPixels(header);
  return {
    format,
    sizeBytes: file.sizeBytes,
    width: turned ? height : width,
    height: turned ? width : height,
    pages,
    isAnimated,
    hasAlpha: header.hasAlpha,
    ...colour,
    isIndexed: format === "png" && header.isPalette === true,
    hasHalvedColour: header.chromaSubsampling === "4:2:0",
    notes: [...notes, ...notesOf(header, { pages, isAnimated })],
    read: ({ frames = "first", colour: wanted = "own" } = {}) => {
      const image = sharp(input, { ...sharpOptions, ...(frames === "all" && isAnimated ? { animated: true } : {}) });
      return inColour(isUpright ? image : image.autoOrient(), colour, wanted);
    },
  };
}

/** The losses that reading alone causes. */
function notesOf({ space, depth }: Metadata, { pages, isAnimated }: { pages: number; isAnimated: boolean }): Note[] {
  return [
    ...(pages > 1 && !isAnimated ? [{ code: "first-page-kept", pages } as const] : []),
    ...(space === "cmyk" ? [{ code: "cmyk-converted" } as const] : []),
    ...(depth === "float" ? [{ code: "float-reduced-to-8" } as const] : []),
  ];
}

/**
 * The libvips loaders for the formats of `openSource`. libvips has many more (its own format, matrices, CSV, HDR
 * formats). Untrusted bytes could reach each of them, because libvips sniffs the format itself.
 */
const needed = ["Jpeg", "Png", "Webp", "Nsgif", "Tiff", "Heif", "Svg"];

/** Blocks all other libvips loaders, for the whole process. */
export function blockOtherLoaders(): void {
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: needed.map((name) => `VipsForeignLoad${name}`) });
}

/** The most channels, alpha included, by colour space. */
const maxChannels: Partial<Record<Metadata["space"], number>> = {
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
 * The kind of pixels by the header.
 * @throws cannot-process for sample formats without a defined white, such as 32-bit integers and grey in floating
 * point, which instruments write and which would come out black; and for channels beyond colour and alpha
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
    throw new DomainError("cannot-process", { reason: { code: "samples-not-read", type: depth } });
  if (channels > (maxChannels[space] ?? 0))
    throw new DomainError("cannot-process", { reason: { code: "channels-not-read", channels } });
  return {
    isGrey: space === "b-w" || space === "grey16",
    // CMYK and Lab are converted to sRGB, which drops their profile.
    hasProfile: hasProfile && /^(srgb|rgb|rgb16|b-w|grey16)$/.test(space),
    depth: depth === "ushort" && space !== "cmyk" ? 16 : 8,
  };
}
