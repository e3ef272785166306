import { toPlace } from "../palette/colour-space.ts";
import { unpackColour } from "../palette/histogram.ts";
import { quantizeColours } from "../palette/quantize-colours.ts";
import { type ColourIndex, createColourIndex } from "./colour-index.ts";

/** The colours a frame may use. */
export type GifPalette = {
  /** Packed, at most 256; 0 at the transparent index. */
  colours: Uint32Array;
  /** -1 where every index is a colour. */
  transparentIndex: number;
  /** From a packed colour to its index. */
  index: ColourIndex;
};

/** @param colours packed, all different, none transparent; at most 256 with the transparent entry, which comes first */
export function createPalette(colours: ArrayLike<number>, withTransparency: boolean): GifPalette {
  const entries = Uint32Array.from(withTransparency ? [0, ...Array.from(colours)] : Array.from(colours));
  if (entries.length > 256) throw new RangeError("A GIF's colour table has at most 256 entries.");
  const index = createColourIndex(256);
  for (const entry of entries) index.add(entry);
  return { colours: entries, transparentIndex: withTransparency ? 0 : -1, index };
}

/** Packed colours, and the pixels that have each. */
export type CountedColours = { colours: Uint32Array; weights: Float64Array };

/** At most `most` packed colours, all different, that represent these. */
export function chooseColours({ colours, weights }: CountedColours, most: number): Uint32Array {
  const count = colours.length;
  if (count <= most) return colours.slice();
  const places = new Float32Array(count * 4);
  colours.forEach((colour, i) => {
    toPlace(places, i * 4, unpackColour(colour));
  });
  const { colours: bytes } = quantizeColours({ count, places, weights, colours }, most);
  return Uint32Array.from(new Set(new Uint32Array(bytes.buffer)));
}
