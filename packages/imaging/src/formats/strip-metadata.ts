import { sniffFormat } from "@tintype/codecs/headers";
import { DomainError, type InputFormat } from "@tintype/contract";
import { asDomainError } from "../raster/codec-error.ts";
import { stripBmp } from "./bmp/metadata.ts";
import { stripGif } from "./gif/metadata.ts";
import { stripHeif } from "./heif/metadata.ts";
import { stripIcon } from "./ico/metadata.ts";
import { stripJp2 } from "./jp2/metadata.ts";
import { stripJpeg } from "./jpeg/metadata.ts";
import { stripJxl } from "./jxl/metadata.ts";
import { stripPng } from "./png/metadata.ts";
import { stripPsd } from "./psd/metadata.ts";
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
  jp2: stripJp2,
  pdf: refusePdf,
  svg: (bytes) => stripSvg(bytes, stripInside(0)),
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
    throw asDomainError(cause);
  }
}

/** Any object of a PDF can contain metadata, and no library here can rewrite them. */
function refusePdf(): never {
  throw new DomainError("cannot-process", {
    detail: "A PDF cannot be returned unchanged, because its metadata would remain. Convert it, for example to PNG.",
  });
}

/** Attack: each nested SVG is parsed again, and a file can nest hundreds of them. */
const maxDepth = 4;

/**
 * Strips a picture embedded in an SVG, at any depth. Data of an unknown format stays unchanged, and so does what is
 * never rendered: a PDF, and an SVG that is damaged or nested too deeply.
 * @throws as `stripMetadata`
 */
const stripInside =
  (depth: number) =>
  (bytes: Uint8Array): Uint8Array => {
    const format = sniffFormat(bytes);
    if (format !== "svg") return format && format !== "pdf" ? stripMetadata(bytes, format).bytes : bytes;
    if (depth === maxDepth) return bytes;
    try {
      return stripSvg(bytes, stripInside(depth + 1)).bytes;
    } catch (cause) {
      if (cause instanceof DomainError) return bytes;
      throw cause;
    }
  };
