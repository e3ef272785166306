/** The ids of `uuid` boxes that hold EXIF: Adobe's, and the ASCII text "JpgTiffExif->JP2". */
const exifIds = ["0537cdab9d0c4431a72afa561f2a113e", "4a706754696666457869662d3e4a5032"];
const [orientationTag, maxBoxes, maxExifBytes] = [274, 100, 64 * 1024];

/** The EXIF orientation in the boxes of a JPEG 2000 file (ISO/IEC 15444-1, annex I), at any position in the file; 1 if there is none. */
export async function jp2Orientation(file: Blob): Promise<number> {
  const read = async (start: number, length: number) =>
    new DataView(await file.slice(start, start + length).arrayBuffer());
  for (let at = 0, count = 0; count < maxBoxes; count++) {
    const head = await read(at, 32);
    if (head.byteLength < 8) return 1;
    const isLong = head.getUint32(0) === 1 && head.byteLength >= 16;
    const size = isLong ? Number(head.getBigUint64(8)) : head.getUint32(0) || file.size - at;
    const body = isLong ? 16 : 8;
    if (size < body) return 1; // a bare codestream or a damaged file
    const id = hex(head, body);
    if (head.getUint32(4) === uuid && exifIds.includes(id))
      return orientationIn(await read(at + body + 16, Math.min(size - body - 16, maxExifBytes)));
    at += size;
  }
  return 1;
}

const uuid = 0x75756964;

const hex = (view: DataView, from: number): string =>
  Array.from(new Uint8Array(view.buffer, from, Math.min(16, view.byteLength - from)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");

function orientationIn(exif: DataView): number {
  try {
    const start = exif.getUint32(0) === 0x45786966 ? 6 : 0; // "Exif", as in a JPEG
    const isLittle = exif.getUint16(start) === 0x4949;
    const directory = start + exif.getUint32(start + 4, isLittle);
    for (let i = 0; i < exif.getUint16(directory, isLittle); i++) {
      const entry = directory + 2 + 12 * i;
      if (exif.getUint16(entry, isLittle) === orientationTag) return exif.getUint16(entry + 8, isLittle);
    }
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause; // truncated
  }
  return 1;
}
