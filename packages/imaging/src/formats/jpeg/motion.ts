import { directoryOf, type Motion, splitHead, withDescription, xmpSegment } from "./container-directory.ts";
import { motionStart, readJpegPictures, xmpOf } from "./pictures.ts";

/**
 * The video of a motion photo: the ISO base media file (ISO/IEC 14496-12) appended to a JPEG (Motion Photo Format 1.0).
 * It is cut after its last top-level box, because Samsung's trailer appends other data. Undefined if there is no video,
 * or if it is truncated.
 */
export function readMotion(bytes: Uint8Array): Motion | undefined {
  const { first } = readJpegPictures(bytes);
  const start = motionStart(bytes, first.end);
  const end = start === undefined ? undefined : motionEnd(bytes, start);
  if (start === undefined || end === undefined) return undefined;
  const isQuickTime = Buffer.from(bytes.subarray(start + 8, start + 12)).toString("latin1") === "qt  ";
  const momentUs = momentIn(xmpOf(first));
  return {
    bytes: bytes.subarray(start, end),
    mediaType: isQuickTime ? "video/quicktime" : "video/mp4",
    ...(momentUs === undefined ? {} : { momentUs }),
  };
}

/** Top-level boxes (ISO/IEC 14496-12, table 1) and QuickTime's top-level atoms. */
const topBoxes = new Set(
  "ftyp styp pdin moov moof mfra mdat free skip wide uuid meta udta sidx ssix prft emsg".split(" "),
);
/** Bounds the loop. A fragmented file has a few thousand top-level boxes. */
const mostBoxes = 100_000;

/** The offset after the last top-level box; undefined if a box is truncated or there is no `moov`. */
function motionEnd(bytes: Uint8Array, start: number): number | undefined {
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

/** MotionPhotoPresentationTimestampUs or MicroVideo's. -1 means unknown, and does not match. */
function momentIn(xmp: string): number | undefined {
  const found =
    /\b(?:GCamera|Camera):(?:MotionPhoto|MicroVideo)PresentationTimestampUs\s*(?:=\s*["']|>\s*)(\d{1,15})\b/.exec(xmp);
  return found?.[1] === undefined ? undefined : Number(found[1]);
}

/** Appends the video to a JPEG of one picture and lists it in XMP; undefined if the XMP segment has no room. */
export function withMotion(jpeg: Uint8Array, motion: Motion): Buffer | undefined {
  const { head, xmp, rest } = splitHead(jpeg);
  const joined = withDescription(xmp, directoryOf({ motion }));
  return joined === undefined ? undefined : Buffer.concat([head, xmpSegment(joined), rest, motion.bytes]);
}
