import { placeColour } from "./colour-distance.ts";
import type { LzwDictionary } from "./lzw-dictionary.ts";
import { leaveOnly, type TolerantChoices } from "./tolerant-choices.ts";

/** Up to this many children are enumerated. Beyond it, the palette colours are looked up from the nearest one on. */
const shortList = 12;
/** The row of `coordinates` for the canvas colour, after the 256 of the palette. */
const shownPlace = 256;

/**
 * The child codes that can extend a string at a pixel. Each call of `list` overwrites `codes`, `places` and `costs`.
 */
export type TolerantChildren = {
  codes: Uint16Array;
  /** Rows of `coordinates`. */
  places: Uint16Array;
  /** Squared distance to the wanted colour, beyond that of the nearest palette colour (see `ColourTables`). */
  costs: Float32Array;
  /** `placeColour` of the palette, then of the canvas colour: [257, 3]. */
  coordinates: Float32Array;
  /**
   * Lists the children of `code` (-1: the empty string) that cost at most `allowed` at pixel `at`.
   * @returns their number
   */
  list(dictionary: LzwDictionary, code: number, at: number, allowed: number): number;
};

export function createTolerantChildren(choices: TolerantChoices): TolerantChildren {
  const { rows, leaveCosts, shownColours, transparentIndex, colours } = choices;
  const { costs: colourCosts, nearest, colourCount } = colours;
  const coordinates = new Float32Array((shownPlace + 1) * 3);
  coordinates.set(colours.places);
  const codes = new Uint16Array(257);
  const places = new Uint16Array(257);
  const costs = new Float32Array(257);

  /** The transparent index comes first, so that it wins ties. */
  function listLeaving({ children }: LzwDictionary, code: number, at: number, allowed: number): number {
    const cost = leaveCosts[at] as number;
    const child = code < 0 ? transparentIndex : (children[code * 256 + transparentIndex] as number);
    if (cost > allowed || (code >= 0 && child === 0)) return 0;
    placeColour(shownColours[at] as number, coordinates, shownPlace * 3);
    codes[0] = child;
    places[0] = shownPlace;
    costs[0] = cost;
    return 1;
  }

  /** The children of the empty string: the root codes. */
  function listColours({ clearCode }: LzwDictionary, start: number, allowed: number, first: number): number {
    let count = first;
    for (let rank = start; rank < start + colourCount; rank++) {
      const index = nearest[rank] as number;
      const cost = colourCosts[start + index] as number;
      if (cost > allowed) break;
      if (index >= clearCode) continue;
      codes[count] = index;
      places[count] = index;
      costs[count++] = cost;
    }
    return count;
  }

  function listEachChild(
    dictionary: LzwDictionary,
    code: number,
    start: number,
    allowed: number,
    first: number,
  ): number {
    const { firstChild, nextSibling, suffix } = dictionary;
    let count = first;
    for (let child = firstChild[code] as number; child !== 0; child = nextSibling[child] as number) {
      const index = suffix[child] as number;
      const cost = colourCosts[start + index] as number;
      if (cost > allowed) continue;
      codes[count] = child;
      places[count] = index;
      costs[count++] = cost;
    }
    return count;
  }

  function listNearChildren(
    { children }: LzwDictionary,
    code: number,
    start: number,
    allowed: number,
    first: number,
  ): number {
    let count = first;
    for (let rank = start; rank < start + colourCount; rank++) {
      const index = nearest[rank] as number;
      const cost = colourCosts[start + index] as number;
      if (cost > allowed) break;
      const child = children[code * 256 + index] as number;
      if (child === 0) continue;
      codes[count] = child;
      places[count] = index;
      costs[count++] = cost;
    }
    return count;
  }

  return {
    codes,
    places,
    costs,
    coordinates,
    list(dictionary, code, at, allowed) {
      const count = listLeaving(dictionary, code, at, allowed);
      const row = rows[at] as number;
      if (row === leaveOnly) return count;
      const start = row * 256;
      if (code < 0) return listColours(dictionary, start, allowed, count);
      const isShort = (dictionary.childCount[code] as number) <= shortList;
      return (isShort ? listEachChild : listNearChildren)(dictionary, code, start, allowed, count);
    },
  };
}
