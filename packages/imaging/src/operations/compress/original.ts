import { crc32 } from "node:zlib";
import type { InputFormat, Note } from "@tintype/contract";
import { readHeifFacts } from "../../formats/heif/facts.ts";
import { isMarked, lossMarkOf, withLossMark } from "../../formats/loss-mark.ts";
import type { Source } from "../../formats/open-source.ts";
import { stripMetadata } from "../../formats/strip-metadata.ts";
import { isLossyWebp } from "../../formats/webp/container.ts";

/**
 * A candidate for the result. `notes` lists its losses, `size` is set if it differs from the source's, `isOriginal` if
 * the picture is coded as received, and `isExact` if it is known to lose nothing of the pixels.
 */
export type Candidate = {
  format: InputFormat;
  bytes: Uint8Array;
  notes: Note[];
  size?: { width: number; height: number };
  isOriginal?: true;
  isExact?: boolean;
};

/** The uploaded file. Each property is computed once, on first use. */
export type Original = {
  format: InputFormat;
  bytes: Uint8Array;
  /** The quality at which compress wrote this very file, by its loss mark; undefined if it was modified since. */
  markedQuality: () => number | undefined;
  /** Keeps pages and frames that decoding would drop, and the loss mark. @throws broken-image */
  withoutMetadata: () => Candidate;
  /** Lossless re-encoding can only save bytes on a lossless original. */
  isLossless: () => boolean;
  /**
   * What re-encoding would lose: pages, frames or a video, since a request for fewer bytes does not request fewer
   * pages; or the gain map of an AVIF, which only a byte limit justifies.
   */
  lostByEncoding: () => "pictures" | "gain map" | undefined;
};

export function readOriginal(source: Pick<Source, "format" | "pages" | "isAnimated">, bytes: Uint8Array): Original {
  const { format } = source;
  const mark = once(() => readMark(bytes, format));
  return {
    format,
    bytes,
    markedQuality: () => mark()?.quality,
    withoutMetadata: once((): Candidate => {
      const found = mark();
      if (found && isMarked(format))
        return {
          format,
          notes: [],
          bytes: withLossMark(found.bare, { format, quality: found.quality }),
          isOriginal: true,
        };
      const stripped = stripMetadata(bytes, format);
      // A rewritten SVG can be longer if there was nothing to remove.
      const isLonger = stripped.bytes.length > bytes.length && stripped.notes.length === 0;
      return { format, notes: stripped.notes, bytes: isLonger ? bytes : stripped.bytes, isOriginal: true };
    }),
    isLossless: () =>
      format === "png" ||
      format === "tiff" ||
      format === "gif" ||
      format === "ico" ||
      (format === "webp" && !isLossyWebp(bytes)),
    lostByEncoding: once(() => {
      if (format === "ico") return undefined;
      if (format !== "avif") return source.pages > 1 && !source.isAnimated ? "pictures" : undefined;
      const { pictures, hasTrack, hasGainMap } = readHeifFacts(bytes);
      if (pictures > 1 || hasTrack) return "pictures";
      return hasGainMap ? "gain map" : undefined;
    }),
  };
}

/** The checksum of a mark covers the picture without metadata: a mark does not protect anything else in the file. */
function readMark(bytes: Uint8Array, format: InputFormat): { quality: number; bare: Uint8Array } | undefined {
  const mark = isMarked(format) ? lossMarkOf(bytes, format) : undefined;
  if (!mark) return undefined;
  const { bytes: bare } = stripMetadata(mark.unmarked, format);
  return crc32(bare) === mark.checksum ? { quality: mark.quality, bare } : undefined;
}

function once<Value>(compute: () => Value): () => Value {
  let known: { value: Value } | undefined;
  return () => {
    known ??= { value: compute() };
    return known.value;
  };
}
