import { bmpFile } from "./bmp-file.ts";

/** An icon image: a PNG file, or bottom-up rows of BGRA pixels followed by a 1-bit mask. */
type IconPicture = {
  width: number;
  height: number;
  png?: Uint8Array;
  bits?: 1 | 4 | 8 | 24 | 32;
  palette?: number[][];
  /** As stored in a BMP, padded. */
  pixels?: Uint8Array | number[];
  mask?: Uint8Array | number[];
};

/** Builds an icon byte by byte. */
export function iconFile(...pictures: IconPicture[]): Buffer {
  const bodies = pictures.map(bodyOf);
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let at = head.length;
  for (const [i, { width, height, bits = 32 }] of pictures.entries()) {
    const row = 6 + 16 * i;
    head.set([width & 255, height & 255], row);
    head.writeUInt16LE(1, row + 4);
    head.writeUInt16LE(bits, row + 6);
    const length = bodies[i]?.length ?? 0;
    head.writeUInt32LE(length, row + 8);
    head.writeUInt32LE(at, row + 12);
    at += length;
  }
  return Buffer.concat([head, ...bodies]);
}

function bodyOf({ png, width, height, bits = 32, palette = [], pixels = [], mask = [] }: IconPicture): Uint8Array {
  if (png) return png;
  const body = Uint8Array.from([...pixels, ...mask]);
  return bmpFile({ width, height: height * 2, bits, palette, body }).subarray(14);
}

/** An icon of one opaque 32-bit image. */
export function rgbIcon({ width, height, data }: { width: number; height: number; data: Uint8Array }): Buffer {
  const pixels = Array.from({ length: height }, (_, y) => {
    const row = data.subarray((height - 1 - y) * width * 3, (height - y) * width * 3);
    return Array.from({ length: width }, (_, x) => [row[x * 3 + 2] ?? 0, row[x * 3 + 1] ?? 0, row[x * 3] ?? 0, 255]);
  });
  return iconFile({ width, height, pixels: pixels.flat(2), mask: new Uint8Array(Math.ceil(width / 32) * 4 * height) });
}
