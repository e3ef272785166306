import { DomainError, type InputFormat } from "@tintype/contract";
import { stripBmp } from "./bmp/metadata.ts";
import { stripGif } from "./gif/metadata.ts";
import { stripHeif } from "./heif/metadata.ts";
import { stripIcon } from "./ico/metadata.ts";
import { stripJpeg } from "./jpeg/metadata.ts";
import { stripJxl } from "./jxl/metadata.ts";
import { stripPng } from "./png/metadata.ts";
import { stripPsd } from "./psd/metadata.ts";
import { sniffFormat } from "./sniff.ts";
import type { Stripped } from "./stripped.ts";
import { stripSvg } from "./svg/metadata.ts";
import { stripTiff } from "./tiff/metadata.ts";
import { stripWebp } from "./webp/metadata.ts";

const strippers = {
  jpeg: stripJpeg,
  png: stripPng,
  webp: stripWebp,
  gif: stripGif,
  tiff: stripTiff,
  bmp: stripBmp,
  avif: stripHeif,
  heic: stripHeif,
  ico: stripIcon,
  jxl: stripJxl,
  psd: stripPsd,
  svg: (bytes) => stripSvg(bytes, stripInside),
} as const satisfies Record<InputFormat, (bytes: Uint8Array) => Stripped>;

/**
 * Removes the metadata of a picture (locations, names, dates, camera data, texts, thumbnails) without re-encoding its
 * pixels. ICC profiles are kept, because the colours depend on them, and so is the EXIF orientation. `bytes` must be a
 * picture of that format that has been decoded; it is not modified.
 * @throws broken-image when its structure cannot be parsed
 */
export function stripMetadata(bytes: Uint8Array, format: InputFormat): Stripped {
  try {
    return strippers[format](bytes);
  } catch (cause) {
    if (cause instanceof RangeError) throw new DomainError("broken-image", { cause });
    throw cause;
  }
}

/**
 * Strips a picture embedded in an SVG. Data of an unknown format is kept unchanged, and so is an SVG in an SVG.
 * @throws as `stripMetadata`
 */
function stripInside(bytes: Uint8Array): Uint8Array {
  const format = sniffFormat(bytes);
  return format && format !== "svg" ? stripMetadata(bytes, format).bytes : bytes;
}
