import { exifOrientation, jp2ExifIds } from "@tintype/contract";

const [maxBoxes, maxExifBytes] = [100, 64 * 1024];

/** The EXIF orientation in the boxes of a JPEG 2000 file (ISO/IEC 15444-1, annex I), at any position in the file; 1 if there is none. */
export async function jp2Orientation(file: Blob): Promise<number> {
  const bytesOf = async (start: number, length: number) =>
    new Uint8Array(await file.slice(start, start + length).arrayBuffer());
  for (let at = 0, count = 0; count < maxBoxes; count++) {
    const head = new DataView((await bytesOf(at, 32)).buffer);
    if (head.byteLength < 8) return 1;
    const isLong = head.getUint32(0) === 1 && head.byteLength >= 16;
    const size = isLong ? Number(head.getBigUint64(8)) : head.getUint32(0) || file.size - at;
    const body = isLong ? 16 : 8;
    if (size < body) return 1; // a bare codestream or a damaged file
    const id = hex(head, body);
    if (head.getUint32(4) === uuid && jp2ExifIds.includes(id))
      return exifOrientation(await bytesOf(at + body + 16, Math.min(size - body - 16, maxExifBytes)));
    at += size;
  }
  return 1;
}

const uuid = 0x75756964;

const hex = (view: DataView, from: number): string =>
  Array.from(new Uint8Array(view.buffer, from, Math.min(16, view.byteLength - from)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
