import type { Matte } from "../../state/picture.ts";

/**
 * Encodes a matte as a greyscale PNG. A canvas would hold four bytes per pixel, and phones refuse one of more than 16 megapixels.
 * @param deflate compresses to the zlib format (RFC 1950)
 */
export async function encodeGreyPng(
  { width, height, values }: Matte,
  deflate: (rows: Uint8Array<ArrayBuffer>) => Promise<Uint8Array<ArrayBuffer>> = deflateInBrowser,
): Promise<Blob> {
  const rows = new Uint8Array(height * (width + 1)); // each row starts with its filter type: 0, none
  for (let y = 0; y < height; y += 1) rows.set(values.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  const header = new Uint8Array(13);
  const sides = new DataView(header.buffer);
  sides.setUint32(0, width);
  sides.setUint32(4, height);
  header.set([8, 0, 0, 0, 0], 8); // bit depth 8, colour type 0: greyscale
  const signature = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const pieces = [
    signature,
    chunk("IHDR", header),
    chunk("IDAT", await deflate(rows)),
    chunk("IEND", new Uint8Array()),
  ];
  return new Blob(pieces, { type: "image/png" });
}

async function deflateInBrowser(rows: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([rows]).stream().pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function chunk(type: string, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(
    [...type].map((character) => character.charCodeAt(0)),
    4,
  );
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
