import { evenEffort } from "@tintype/codecs/entropy";
import type { Histogram, Palette } from "@tintype/codecs/palette";
import { depthFor, exactPalette, indexPixels, packIndices } from "@tintype/codecs/palette";
import type { Raster } from "@tintype/codecs/raster";
import { candidateOf, type PngCandidate } from "./candidate.ts";

/** The lossless indexed-colour PNG of a picture of at most 256 colours. */
export const exactPaletteCandidate = (histogram: Histogram, samples: Raster<Uint8Array>): PngCandidate => ({
  ...palettePng(samples, exactPalette(histogram)),
  isExact: true,
});

/** The picture as indexed-colour PNG (colour type 3) with this palette. */
export function palettePng(samples: Raster<Uint8Array>, palette: Palette): PngCandidate {
  const { width, height, profile } = samples;
  const { indices, colours } = arranged(indexPixels(samples, palette), palette.colours, width);
  const count = colours.length / 4;
  const depth = depthFor(count);
  const rows = packIndices(indices, { width, depth });
  const png = { width, height, depth, colourType: 3, rows, palette: colours, profile, filter: "none" } as const;
  return candidateOf(png, evenEffort(rows.length));
}

/**
 * Drops unused palette entries and sorts the others. Index 0 goes to the colour that most rows begin or end with: it
 * equals the filter type byte (0, None), so that one match spans the rows of a uniform margin. Translucent colours
 * follow, because tRNS ends with the last alpha below 255 (PNG, third edition, 11.3.1.1).
 */
function arranged(indices: Uint8Array, colours: Uint8Array, width: number) {
  const [pixels, edges] = [new Uint32Array(256), new Uint32Array(256)];
  indices.forEach((number, pixel) => {
    pixels[number] = (pixels[number] as number) + 1;
    const x = pixel % width;
    if (x === 0 || x === width - 1) edges[number] = (edges[number] as number) + 1;
  });
  const first = edges.indexOf(Math.max(...edges));
  const rank = (number: number) => (number === first ? 0 : colours[number * 4 + 3] === 255 ? 2 : 1);
  const order = Array.from(pixels.keys())
    .filter((number) => (pixels[number] as number) > 0)
    .sort((a, b) => rank(a) - rank(b));
  const places = new Uint8Array(256);
  order.forEach((number, place) => {
    places[number] = place;
  });
  return {
    indices: indices.map((number) => places[number] as number),
    colours: Uint8Array.from(order.flatMap((number) => [...colours.subarray(number * 4, number * 4 + 4)])),
  };
}
