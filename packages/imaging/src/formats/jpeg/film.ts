import { directoryOf, type Film, splitHead, withDescription, xmpSegment } from "./container-directory.ts";
import { filmStart, readJpegPictures, xmpOf } from "./pictures.ts";

/**
 * The film that stands after the pictures of a JPEG file, without what stands after it: Samsung's trailer has more than the film.
 * Undefined where there is none, or where it is cut off.
 */
export function readFilm(bytes: Uint8Array): Film | undefined {
  const { first } = readJpegPictures(bytes);
  const start = filmStart(bytes, first.end);
  const end = start === undefined ? undefined : filmEnd(bytes, start);
  if (start === undefined || end === undefined) return undefined;
  const isQuickTime = Buffer.from(bytes.subarray(start + 8, start + 12)).toString("latin1") === "qt  ";
  const momentUs = momentIn(xmpOf(first));
  return {
    bytes: bytes.subarray(start, end),
    mediaType: isQuickTime ? "video/quicktime" : "video/mp4",
    ...(momentUs === undefined ? {} : { momentUs }),
  };
}

/** Boxes that stand at the top of a film (ISO/IEC 14496-12, table 1, and QuickTime's). */
const topBoxes = new Set(
  "ftyp styp pdin moov moof mfra mdat free skip wide uuid meta udta sidx ssix prft emsg".split(" "),
);
/** A film has some thousands at most, where it is cut into fragments. */
const mostBoxes = 100_000;

/** Where the boxes of the film end; undefined where one of them is cut off, or none describes its tracks. */
function filmEnd(bytes: Uint8Array, start: number): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let hasTracks = false;
  let at = start;
  for (let boxes = 0; at + 8 <= bytes.length && boxes < mostBoxes; boxes++) {
    const type = Buffer.from(bytes.subarray(at + 4, at + 8)).toString("latin1");
    if (!topBoxes.has(type)) break;
    const short = view.getUint32(at);
    const isLong = short === 1;
    if (isLong && at + 16 > bytes.length) return undefined;
    const size = isLong ? Number(view.getBigUint64(at + 8)) : short === 0 ? bytes.length - at : short;
    if (size < 8 || at + size > bytes.length) return undefined;
    hasTracks ||= type === "moov";
    at += size;
  }
  return hasTracks ? at : undefined;
}

/** A negative one says that it is not known. */
function momentIn(xmp: string): number | undefined {
  const found =
    /\b(?:GCamera|Camera):(?:MotionPhoto|MicroVideo)PresentationTimestampUs\s*(?:=\s*["']|>\s*)(\d{1,15})\b/.exec(xmp);
  return found?.[1] === undefined ? undefined : Number(found[1]);
}

/** A JPEG of one picture with the film after it, and its place in XMP; undefined where the XMP leaves no room. */
export function withFilm(jpeg: Uint8Array, film: Film): Buffer | undefined {
  const { head, xmp, rest } = splitHead(jpeg);
  const joined = withDescription(xmp, directoryOf({ film }));
  return joined === undefined ? undefined : Buffer.concat([head, xmpSegment(joined), rest, film.bytes]);
}
