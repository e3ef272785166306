import { brotliDecompressSync } from "node:zlib";
import { type Blocks, maxBlockBytes } from "../../metadata/blocks.ts";
import { exifAfterOffset } from "../exif.ts";
import { type Box, fourCharacters, readBoxes } from "../heif/boxes.ts";

/** EXIF and XMP of the container's boxes (ISO/IEC 18181-2), plain or Brotli-compressed. */
export function readJxlBlocks(bytes: Uint8Array): Blocks {
  const boxes = readBoxes(bytes, 0, bytes.length);
  const dataOf = (type: string) => {
    const plain = boxes.find((box) => box.type === type && box.end - box.body <= maxBlockBytes);
    if (plain) return Buffer.from(bytes.subarray(plain.body, plain.end));
    const packed = boxes.find((box) => box.type === "brob" && fourCharacters(bytes, box.body) === type);
    return packed && unpack(bytes, packed);
  };
  return { exif: exifAfterOffset(dataOf("Exif")), xmp: dataOf("xml ") };
}

/** A `brob` box: the box type, then a Brotli stream. Undefined if that is corrupt or too long. */
function unpack(bytes: Uint8Array, { body, end }: Box): Buffer | undefined {
  try {
    return brotliDecompressSync(bytes.subarray(body + 4, end), { maxOutputLength: maxBlockBytes });
  } catch {
    return undefined;
  }
}
