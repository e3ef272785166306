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
 * A picture without its metadata (places, names, dates, cameras, texts, thumbnails), with its pixels untouched: the
 * same bytes in the same coding. Colour profiles stay, because the colours depend on them; the orientation stays,
 * alone. `bytes` must be a picture of that format that has been decoded; it is never written to.
 * @throws broken-image when its structure cannot be followed
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
 * A picture inside an SVG. Data of an unknown format, or that cannot be followed, is no picture to any reader, and
 * stays.
 */
function stripInside(bytes: Uint8Array): Uint8Array {
  const format = sniffFormat(bytes);
  return format && format !== "svg" ? stripMetadata(bytes, format).bytes : bytes;
}
