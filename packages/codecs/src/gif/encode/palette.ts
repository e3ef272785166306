import { toPlace } from "../../palette/colour-space.ts";
import { unpackColour } from "../../palette/histogram.ts";
import { quantizeColours } from "../../palette/quantize-colours.ts";
import { type ColourIndex, createColourIndex } from "./colour-index.ts";

/** A colour table (GIF89a, 19 and 21) with its transparent index. */
export type GifPalette = {
  /** Packed, at most 256; 0 at the transparent index. */
  colours: Uint32Array;
  /** -1 without transparency. */
  transparentIndex: number;
  /** From a packed colour to its index. */
  index: ColourIndex;
};

/** @param colours packed, distinct, opaque; with the transparent entry, which becomes index 0, at most 256 */
export function createPalette(colours: ArrayLike<number>, withTransparency: boolean): GifPalette {
  const entries = Uint32Array.from(withTransparency ? [0, ...Array.from(colours)] : Array.from(colours));
  if (entries.length > 256) throw new RangeError("A GIF's colour table has at most 256 entries.");
  const index = createColourIndex(256);
  for (const entry of entries) index.add(entry);
  return { colours: entries, transparentIndex: withTransparency ? 0 : -1, index };
}

/** Packed colours with their pixel counts. */
export type CountedColours = { colours: Uint32Array; weights: Float64Array };

/** Quantizes to at most `maxColours` packed colours, all distinct. */
export function chooseColours({ colours, weights }: CountedColours, maxColours: number): Uint32Array {
  const count = colours.length;
  if (count <= maxColours) return colours.slice();
  const places = new Float32Array(count * 4);
  colours.forEach((colour, i) => {
    toPlace(places, i * 4, unpackColour(colour));
  });
  const { colours: bytes } = quantizeColours({ count, places, weights, colours }, maxColours);
  return Uint32Array.from(new Set(new Uint32Array(bytes.buffer)));
}
