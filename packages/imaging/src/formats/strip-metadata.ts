import { sniffFormat } from "@tintype/codecs/headers";
import { DomainError, type InputFormat } from "@tintype/contract";
import { asDomainError } from "../raster/codec-error.ts";
import { formatModules } from "./registry.ts";
import type { Stripped } from "./stripped.ts";

/**
 * Removes the metadata of a picture (locations, names, dates, camera data, texts, thumbnails) without re-encoding its
 * pixels. ICC profiles are kept, because the colours depend on them, and so is the EXIF orientation. `bytes` must be a
 * picture of that format that has been decoded; it is not modified.
 * @throws broken-image when its structure cannot be parsed
 */
export function stripMetadata(bytes: Uint8Array, format: InputFormat): Stripped {
  try {
    return formatModules[format].strip(bytes, stripInside(0));
  } catch (cause) {
    if (cause instanceof RangeError) throw new DomainError("broken-image", { cause });
    throw asDomainError(cause);
  }
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
      return formatModules.svg.strip(bytes, stripInside(depth + 1)).bytes;
    } catch (cause) {
      if (cause instanceof DomainError) return bytes;
      throw cause;
    }
  };
