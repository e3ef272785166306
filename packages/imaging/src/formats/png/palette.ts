import { evenEffort } from "../../entropy/optimal-deflate.ts";
import type { Raster } from "../../raster/raster.ts";
import { indexPixels } from "../palette/apply-palette.ts";
import { exactPalette } from "../palette/find-palette.ts";
import type { Histogram } from "../palette/histogram.ts";
import { depthFor, packIndices } from "../palette/pack-indices.ts";
import type { Palette } from "../palette/quantize-colours.ts";
import { candidateOf, type PngCandidate } from "./candidate.ts";

/** A picture of no more than 256 colours without any loss. */
export const exactPaletteCandidate = (histogram: Histogram, samples: Raster<Uint8Array>): PngCandidate => ({
  ...palettePng(samples, exactPalette(histogram)),
  isExact: true,
});

/** The picture in the colours of a palette. */
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
 * Without colours that no pixel has. First comes the one that most rows begin or end with: it is the byte that names the
 * filter of the next row, and one match covers the rows of an even margin. Then those with alpha, since a PNG lists alphas up
 * to the last that is not full.
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
