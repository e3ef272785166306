import { placeColour } from "./colour-distance.ts";
import { createDrift, driftMemory } from "./drift.ts";
import type { LzwDictionary } from "./lzw-dictionary.ts";
import type { Search } from "./lzw-walk.ts";
import type { TolerantChoices } from "./tolerant-choices.ts";

export const leaveOnly = 0xffff;

/** A pixel may cost as much as this many pixels save; 2 was as good at the same bytes and took a third longer, 1 was worse. */
const patience = 1.4;
/** Weight of the squared drift of lightness beside the squared error of the pixel. */
export const driftWeight = 0.35;
/** A list is walked up to this many children; beyond, the near colours are looked up. */
const shortList = 12;
/** Strings looked at for one code: bounds the time of pictures where nearly everything is alike. */
const maximumVisits = 512;
const stackSize = 8192;
/** Where the place of the colour that the canvas shows stands among those of the palette. */
const shownPlace = 256;

/**
 * The string that is worth most: each pixel it covers saves bits, each error costs likeness. Errors are held against
 * the true frame, so that none adds up from frame to frame; and the drift (errors of lightness, low-passed along the
 * row and from the row above) is weighed too, so that an area keeps its mean while its pixels vary: at the same bytes
 * that left 3 dB less error at a quarter of the size, for 0.05 dB more at full size.
 *
 * The walk goes to the most promising child first and leaves out strings that could not be worth more if all that may
 * follow were without error.
 */
export function createTolerantSearch(choices: TolerantChoices, indices: Uint8Array): Search {
  const { width, rows, leaveCosts, wantedColours, shownColours, transparentIndex, activity, weights } = choices;
  const { costs, nearest, colourCount } = choices.colours;
  const { distancePerBit, limit } = choices.tolerance;
  const pixelCount = rows.length;
  const drift = createDrift(choices, indices);
  const { codes, lengths, worths, drifts } = createStack();
  const places = new Float32Array((shownPlace + 1) * 3);
  places.set(choices.colours.places);
  const wanted = new Float32Array(3);
  const children = new Uint16Array(257);
  const childPlaces = new Uint16Array(257);
  const childCosts = new Float32Array(257);

  /** Lists what may follow the string `code` (-1: the empty one) at a pixel. @returns how many */
  const listChildren = (dictionary: LzwDictionary, code: number, at: number, allowed: number): number => {
    const row = rows[at] as number;
    const start = row * 256;
    let count = 0;
    const leaveCost = leaveCosts[at] as number;
    const leaving = code < 0 ? transparentIndex : (dictionary.children[code * 256 + transparentIndex] as number);
    // First, so that of strings of equal worth the one that leaves most is taken: see `createExactSearch`.
    if (leaveCost <= allowed && (code < 0 || leaving !== 0)) {
      placeColour(shownColours[at] as number, places, shownPlace * 3);
      children[0] = leaving;
      childPlaces[0] = shownPlace;
      childCosts[0] = leaveCost;
      count = 1;
    }
    if (row === leaveOnly) return count;
    if (code < 0)
      for (let rank = start; rank < start + colourCount; rank++) {
        const index = nearest[rank] as number;
        const cost = costs[start + index] as number;
        if (cost > allowed) break;
        if (index >= dictionary.clearCode) continue;
        children[count] = index;
        childPlaces[count] = index;
        childCosts[count++] = cost;
      }
    else if ((dictionary.childCount[code] as number) <= shortList) {
      const { firstChild, nextSibling, suffix } = dictionary;
      for (let child = firstChild[code] as number; child !== 0; child = nextSibling[child] as number) {
        const index = suffix[child] as number;
        const cost = costs[start + index] as number;
        if (cost > allowed) continue;
        children[count] = child;
        childPlaces[count] = index;
        childCosts[count++] = cost;
      }
    } else
      for (let rank = start; rank < start + colourCount; rank++) {
        const index = nearest[rank] as number;
        const cost = costs[start + index] as number;
        if (cost > allowed) break;
        const child = dictionary.children[code * 256 + index] as number;
        if (child === 0) continue;
        children[count] = child;
        childPlaces[count] = index;
        childCosts[count++] = cost;
      }
    return count;
  };

  /** The least bad index where nothing is within the limit. */
  const leastBad = (position: number): number => {
    const row = rows[position] as number;
    return row === leaveOnly ? transparentIndex : (nearest[row * 256] as number);
  };

  return (dictionary, position, match, pixelsPerCode) => {
    const { height } = dictionary;
    const worthOfPixel = (distancePerBit * 12) / pixelsPerCode;
    const reach = Math.min(limit, patience * worthOfPixel);
    drift.follow(position);
    const { above, left } = drift;
    let bestCode = -1;
    let bestLength = 1;
    let bestWorth = Number.NEGATIVE_INFINITY;
    let code = -1; // stands for the empty string, whose children are the single indices
    let length = 0;
    let worth = 0;
    let [left0, left1, left2] = left as unknown as [number, number, number]; // of three
    let depth = 0;
    for (let visits = 0; visits < maximumVisits; visits++) {
      const at = position + length;
      const weight = weights[activity[at] as number] as number;
      const count = at < pixelCount ? listChildren(dictionary, code, at, reach / weight) : 0;
      if (count > 0) {
        const column = (at % width) * 3;
        placeColour(wantedColours[at] as number, wanted, 0);
        const lean0 = driftMemory * (left0 + (above[column] as number)) + (wanted[0] as number);
        const lean1 = driftMemory * (left1 + (above[column + 1] as number)) + (wanted[1] as number);
        const lean2 = driftMemory * (left2 + (above[column + 2] as number)) + (wanted[2] as number);
        const worthOfNext = worth + worthOfPixel;
        const bottom = depth;
        let top = -1;
        for (let each = 0; each < count; each++) {
          const place = (childPlaces[each] as number) * 3;
          const drift0 = lean0 - (places[place] as number);
          const drift1 = lean1 - (places[place + 1] as number);
          const drift2 = lean2 - (places[place + 2] as number);
          const drifted = drift0 * drift0 + drift1 * drift1 + drift2 * drift2;
          const childWorth = worthOfNext - weight * ((childCosts[each] as number) + driftWeight * drifted);
          const child = children[each] as number;
          if (childWorth > bestWorth) {
            bestWorth = childWorth;
            bestCode = child;
            bestLength = length + 1;
          }
          const most = childWorth + (height[child] as number) * worthOfPixel;
          if (height[child] === 0 || most <= bestWorth) continue;
          codes[depth] = child;
          lengths[depth] = length + 1;
          worths[depth] = childWorth;
          drifts[depth * 3] = drift0;
          drifts[depth * 3 + 1] = drift1;
          drifts[depth * 3 + 2] = drift2;
          if (top < 0 || childWorth > (worths[top] as number)) top = depth;
          depth++;
        }
        if (depth - bottom > 1) swap(top, depth - 1);
      }
      do depth--;
      while (
        depth >= 0 &&
        (worths[depth] as number) + (height[codes[depth] as number] as number) * worthOfPixel <= bestWorth
      );
      if (depth < 0) break;
      code = codes[depth] as number;
      length = lengths[depth] as number;
      worth = worths[depth] as number;
      left0 = drifts[depth * 3] as number;
      left1 = drifts[depth * 3 + 1] as number;
      left2 = drifts[depth * 3 + 2] as number;
    }
    match.code = bestCode < 0 ? leastBad(position) : bestCode;
    match.length = bestLength;
  };

  function swap(first: number, second: number): void {
    for (const list of [codes, lengths, worths]) {
      const value = list[first] as number;
      list[first] = list[second] as number;
      list[second] = value;
    }
    for (let axis = 0; axis < 3; axis++) {
      const value = drifts[first * 3 + axis] as number;
      drifts[first * 3 + axis] = drifts[second * 3 + axis] as number;
      drifts[second * 3 + axis] = value;
    }
  }
}

const createStack = () => ({
  codes: new Uint16Array(stackSize),
  lengths: new Int32Array(stackSize),
  worths: new Float64Array(stackSize),
  drifts: new Float32Array(stackSize * 3),
});
