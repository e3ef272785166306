import { exifOrientation, jp2ExifIds } from "@tintype/contract";
import { readBoxes } from "../heif/boxes.ts";
import { isBareCodestream } from "./container.ts";

type UuidBlocks = { exif?: Uint8Array; xmp?: Uint8Array; iptc?: Uint8Array };

const idBytes = 16;
export const exifId = Buffer.from("JpgTiffExif->JP2", "latin1");

/** The ids of `uuid` boxes. */
const kinds: Readonly<Record<string, keyof UuidBlocks>> = {
  ...Object.fromEntries(jp2ExifIds.map((id) => [id, "exif" as const])),
  be7acfcb97a942e89c71999491e3afac: "xmp",
  "33c7a4d2b81d4723a0baf1a3e097ad38": "iptc",
};

/** EXIF, XMP and IPTC-IIM from `uuid` boxes of at most `maxBytes`; a bare codestream has none. */
export function readUuidBoxes(bytes: Uint8Array, { maxBytes }: { maxBytes: number }): UuidBlocks {
  const blocks: UuidBlocks = {};
  if (isBareCodestream(bytes)) return blocks;
  for (const { type, body, end } of readBoxes(bytes, 0, bytes.length)) {
    if (type !== "uuid" || end - body - idBytes > maxBytes) continue;
    const kind = kinds[Buffer.from(bytes.subarray(body, body + idBytes)).toString("hex")];
    const data = bytes.subarray(body + idBytes, end);
    if (kind) blocks[kind] ??= startsWithExif(data) ? data.subarray(exifMark.length) : data;
  }
  return blocks;
}

/** The EXIF orientation, 1 without EXIF. */
export function orientationOf(bytes: Uint8Array): number {
  const { exif } = readUuidBoxes(bytes, { maxBytes: bytes.length });
  return exif ? exifOrientation(exif) : 1;
}

const exifMark = Buffer.from("Exif\0\0", "latin1");
/** Some writers include the "Exif\0\0" of JPEG's APP1 before the TIFF header. */
const startsWithExif = (data: Uint8Array) => exifMark.equals(data.subarray(0, exifMark.length));
