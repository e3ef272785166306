import type { BmpMasks } from "./header.ts";

/** Writes the pixels of a row to `target`, from `at` on. */
export type BmpRowReader = (row: Uint8Array, target: Uint8Array, at: number) => void;

/** One channel of a pixel: after the shift its values are 0 to `max`. */
type BitField = { shift: number; max: number; toByte: Uint8Array | undefined };

/** Building a table of 4,096 entries takes less time than dividing for each pixel of even a small picture. */
const tableBits = 12;

function bitField(mask: number): BitField {
  const shift = mask === 0 ? 0 : 31 - Math.clz32(mask & -mask);
  const max = mask >>> shift;
  if (max >= 1 << tableBits) return { shift, max, toByte: undefined };
  return { shift, max, toByte: Uint8Array.from({ length: max + 1 }, (_, value) => scale(value, max)) };
}

/** The maximum of any width maps to 255: 31 of 31 is 255, not 248. A field of no bits is 0. */
const scale = (value: number, max: number) => (max === 0 ? 0 : Math.round((value * 255) / max));

const read = ({ shift, max, toByte }: BitField, mask: number, pixel: number) => {
  const value = (pixel & mask) >>> shift;
  return toByte ? (toByte[value] ?? 0) : scale(value, max);
};

/**
 * Returns a reader for rows of 16-bit or 32-bit pixels. It writes R, G, B and, with an alpha mask, A to `target`, which
 * has 4 channels in that case, otherwise 3.
 */
export function bitFieldReader(masks: BmpMasks, bytesPerPixel: 2 | 4): BmpRowReader {
  if (bytesPerPixel === 4 && isPlain(masks)) return bgrReader({ stored: 4, kept: masks.alpha === 0 ? 3 : 4 });
  const { red, green, blue, alpha } = masks;
  const [redField, greenField, blueField, alphaField] = [
    bitField(red),
    bitField(green),
    bitField(blue),
    bitField(alpha),
  ];
  return (row, target, at) => {
    for (let from = 0, to = at; from < row.length; from += bytesPerPixel) {
      const low = (row[from] ?? 0) | ((row[from + 1] ?? 0) << 8);
      const pixel = bytesPerPixel === 2 ? low : low | ((row[from + 2] ?? 0) << 16) | ((row[from + 3] ?? 0) << 24);
      target[to++] = read(redField, red, pixel);
      target[to++] = read(greenField, green, pixel);
      target[to++] = read(blueField, blue, pixel);
      if (alpha !== 0) target[to++] = read(alphaField, alpha, pixel);
    }
  };
}

const isPlain = ({ red, green, blue, alpha }: BmpMasks) =>
  red === 0xff0000 && green === 0xff00 && blue === 0xff && (alpha === 0 || alpha === 0xff000000);

/** Returns a reader for rows of BGR pixels of `stored` bytes, of which R, G, B and, if 4 are kept, A are written. */
export const bgrReader =
  ({ stored, kept }: { stored: 3 | 4; kept: 3 | 4 }): BmpRowReader =>
  (row, target, at) => {
    for (let from = 0, to = at; from < row.length; from += stored, to += kept) {
      target[to] = row[from + 2] ?? 0;
      target[to + 1] = row[from + 1] ?? 0;
      target[to + 2] = row[from] ?? 0;
      if (kept === 4) target[to + 3] = row[from + 3] ?? 0;
    }
  };
