import type { Rectangle } from "../../raster/raster.ts";
import { type ColourCosts, createColourCosts } from "./colour-costs.ts";
import { colourDistance } from "./colour-distance.ts";
import { createColourIndex } from "./colour-index.ts";
import type { FrameSituation } from "./frame-situation.ts";
import { type CountedColours, chooseColours, createPalette, type GifPalette } from "./palette.ts";
import type { Tolerance } from "./tolerant-choices.ts";

/** Bits of a local colour table of 256 entries. */
const tableBits = 256 * 24;
/** Cached cost rows for the global colour table, 1.3 kB each, before the cache is cleared. */
const maximumRows = 1 << 14;
/** 256 entries of a colour table, less the transparent one. */
const drawnColours = 255;

/**
 * Chooses for each frame between the global and a local colour table, by rate and distortion. A local table holds the
 * colours to draw, or the best representatives of them.
 */
export function createPaletteChoice(
  shared: GifPalette | undefined,
  { distancePerBit }: Tolerance,
): (situation: FrameSituation, rectangle: Rectangle) => ColourCosts {
  let sharedCosts = shared && createColourCosts(shared);
  return (situation, rectangle) => {
    const wanted = countWanted(situation, rectangle);
    if (shared && sharedCosts && errorWith(shared, wanted) <= tableBits * distancePerBit) {
      if (sharedCosts.rowCount() + wanted.colours.length > maximumRows) sharedCosts = createColourCosts(shared);
      return sharedCosts;
    }
    return createColourCosts(createPalette(chooseColours(wanted, drawnColours), true));
  };
}

/** Counts the colours of the pixels that must be drawn. */
function countWanted(
  { canvasWidth, target, base, previous, isBaseShown }: FrameSituation,
  { left, top, width, height }: Rectangle,
): CountedColours {
  const index = createColourIndex();
  const counts: number[] = [];
  for (let y = top; y < top + height; y++)
    for (let at = y * canvasWidth + left, end = at + width; at < end; at++) {
      const wanted = target[at] as number;
      if (wanted === 0 || wanted === base[at] || (isBaseShown && wanted === previous[at])) continue;
      const number = index.add(wanted);
      counts[number] = (counts[number] ?? 0) + 1;
    }
  return { colours: index.colours(), weights: Float64Array.from(counts) };
}

/** The total squared distance if each colour is mapped to the nearest one of the palette. */
function errorWith(
  { colours: entries, transparentIndex, index }: GifPalette,
  { colours, weights }: CountedColours,
): number {
  let error = 0;
  for (let at = 0; at < colours.length; at++) {
    const colour = colours[at] as number;
    if (index.find(colour) >= 0) continue;
    let least = Number.POSITIVE_INFINITY;
    for (let entry = 0; entry < entries.length; entry++) {
      if (entry === transparentIndex) continue;
      const distance = colourDistance(colour, entries[entry] as number);
      if (distance < least) least = distance;
    }
    error += least * (weights[at] as number);
  }
  return error;
}
