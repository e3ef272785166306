import { blank } from "../../raster/blank-ranges.ts";
import { orientationExif } from "../exif.ts";
import { box, readBoxes } from "../heif/boxes.ts";
import type { Stripped } from "../stripped.ts";
import { readCodestream } from "./codestream.ts";
import { isBareCodestream } from "./container.ts";
import { exifId, orientationOf } from "./uuid-boxes.ts";

/** ISO/IEC 15444-1, I.4: the top-level boxes that decoding needs, and those within `jp2h`. */
const keptAtTop = ["jP  ", "ftyp"];
const keptInHeader = new Set(["ihdr", "bpcc", "colr", "pclr", "cmap", "cdef", "res "]);

/**
 * Keeps the first codestream with its header, and an EXIF box for an orientation other than 1. Comments are overwritten
 * with spaces: no offset in the codestream changes.
 */
export function stripJp2(bytes: Uint8Array): Stripped {
  if (isBareCodestream(bytes)) return { bytes: bareCodestream(bytes), notes: [] };
  const boxes = readBoxes(bytes, 0, bytes.length);
  const header = boxes.find(({ type }) => type === "jp2h");
  const picture = boxes.find(({ type }) => type === "jp2c");
  const verbatim = (among: typeof boxes) => among.map(({ start, end }) => bytes.subarray(start, end));
  const atTop = keptAtTop.flatMap((type) => boxes.find((one) => one.type === type) ?? []);
  const orientation = orientationOf(bytes);
  const inHeader = header ? readBoxes(bytes, header.body, header.end).filter(({ type }) => keptInHeader.has(type)) : [];
  return {
    bytes: Buffer.concat([
      ...verbatim(atTop),
      ...(header ? [box("jp2h", ...verbatim(inHeader))] : []),
      ...(picture ? [box("jp2c", bareCodestream(bytes.subarray(picture.body, picture.end)))] : []),
      ...(orientation === 1 ? [] : [box("uuid", exifId, orientationExif(orientation))]),
    ]),
    notes: [],
  };
}

/** The codestream without comments and without data after the last tile-part. */
function bareCodestream(codestream: Uint8Array): Uint8Array {
  const { comments, end } = readCodestream(codestream);
  return Buffer.concat([blank(codestream.subarray(0, end), { drop: comments, keep: [], by: 0x20 }), endMarker]);
}

/** EOC (ISO/IEC 15444-1, A.4.4). */
const endMarker = Uint8Array.of(0xff, 0xd9);
