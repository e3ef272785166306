import type { BmpHeader } from "./header.ts";

/** 256 entries of R, G, B, black beyond the file's own; `isGrey` if all of the file's entries are grey. */
export type BmpPalette = { colours: Uint8Array; isGrey: boolean };

export function readPalette(bytes: Uint8Array, { palette: { offset, entrySize, count } }: BmpHeader): BmpPalette {
  const colours = new Uint8Array(256 * 3);
  let isGrey = true;
  for (let i = 0; i < count; i++) {
    const at = offset + i * entrySize;
    const [blue = 0, green = 0, red = 0] = bytes.subarray(at, at + 3);
    colours.set([red, green, blue], i * 3);
    if (red !== green || green !== blue) isGrey = false;
  }
  return { colours, isGrey };
}
