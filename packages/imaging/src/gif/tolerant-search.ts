import type { ColourTables } from "./colour-costs.ts";
import { placeColour } from "./colour-distance.ts";
import { createDrift, driftMemory } from "./drift.ts";
import type { Search } from "./lzw-walk.ts";

/** What a frame should show, and what it may show instead. */
export type TolerantChoices = {
  /** px of a row. */
  width: number;
  /** Row of `costs` for each pixel; `leaveOnly` where no colour may be drawn. [pixelCount] */
  rows: Uint16Array;
  colours: ColourTables;
  /** Squared distance of leaving what the canvas shows, Infinity where that is not allowed. [pixelCount] */
  leaveCosts: Float32Array;
  /** Packed: what should show, and what the canvas shows. [pixelCount] */
  wantedColours: Uint32Array;
  shownColours: Uint32Array;
  transparentIndex: number;
  /** Index into `weights`: how busy the picture is around each pixel. [pixelCount] */
  activity: Uint8Array;
  /** What an error weighs at each activity. */
  weights: Float32Array;
  tolerance: Tolerance;
};

/** How much likeness is given for bytes. */
export type Tolerance = {
  /** Weighted squared distance worth a bit. */
  distancePerBit: number;
  /** Weighted squared distance that no pixel may pass. */
  limit: number;
};

export const leaveOnly = 0xffff;

/** A pixel may cost as much as this many pixels save; more made pictures worse at the same bytes, and the search slower. */
const patience = 2;
/** Weight of the squared drift of lightness beside the squared error of the pixel. */
export const driftWeight = 0.35;
/** A list is walked up to this many children; beyond, the near colours are looked up. */
const shortList = 12;
/** Strings looked at for one code: bounds the time of pictures where nearly everything is alike. */
const maximumVisits = 2048;
const stackSize = 8192;

/**
 * The string that is worth most: each pixel it covers saves bits, each error costs likeness. Errors are held against
 * the true frame, so that none adds up from frame to frame; and the drift (errors of lightness, low-passed along the
 * row and from the row above) is weighed too, so that an area keeps its mean while its pixels vary: at the same bytes
 * that left 3 dB less error at a quarter of the size, for 0.05 dB more at full size.
 */
export function createTolerantSearch(choices: TolerantChoices, indices: Uint8Array): Search {
  const { width, rows, leaveCosts, wantedColours, shownColours, transparentIndex, activity, weights } = choices;
  const { costs, nearest, colourCount, places } = choices.colours;
  const { distancePerBit, limit } = choices.tolerance;
  const pixelCount = rows.length;
  const drift = createDrift(choices, indices);
  const stack = createStack();
  const { codes, lengths, worths, drifts } = stack;
  const wanted = new Float32Array(3);
  const shown = new Float32Array(3);

  /** The least bad index where nothing is within the limit. */
  const leastBad = (position: number): number => {
    const row = rows[position] as number;
    return row === leaveOnly ? transparentIndex : (nearest[row * 256] as number);
  };

  return (dictionary, position, match, pixelsPerCode) => {
    const { children, firstChild, nextSibling, childCount, suffix } = dictionary;
    const rootCount = dictionary.clearCode;
    const worthOfPixel = (distancePerBit * 12) / pixelsPerCode;
    const reach = Math.min(limit, patience * worthOfPixel);
    const { above } = drift;
    drift.follow(position);
    let bestCode = -1;
    let bestLength = 1;
    let bestWorth = Number.NEGATIVE_INFINITY;
    let at = position;
    let length = 0;
    let worth = 0;
    let [left0, left1, left2] = drift.left as unknown as [number, number, number];
    let code = -1; // stands for the empty string, whose children are the single indices
    let depth = 0;
    for (let visits = 0; visits < maximumVisits; visits++) {
      // Put each child that is near enough on the stack.
      if (at < pixelCount) {
        const row = rows[at] as number;
        const weight = weights[activity[at] as number] as number;
        const allowed = reach / weight;
        const column = (at % width) * 3;
        placeColour(wantedColours[at] as number, wanted, 0);
        const lean0 = driftMemory * (left0 + (above[column] as number)) + (wanted[0] as number);
        const lean1 = driftMemory * (left1 + (above[column + 1] as number)) + (wanted[1] as number);
        const lean2 = driftMemory * (left2 + (above[column + 2] as number)) + (wanted[2] as number);
        const worthOfNext = worth + worthOfPixel;
        const start = row * 256;
        const isShort = code >= 0 && (childCount[code] as number) <= shortList;
        if (row !== leaveOnly && isShort)
          for (let child = firstChild[code] as number; child !== 0; child = nextSibling[child] as number) {
            const index = suffix[child] as number;
            const cost = costs[start + index] as number;
            if (cost > allowed) continue;
            const drift0 = lean0 - (places[index * 3] as number);
            const drift1 = lean1 - (places[index * 3 + 1] as number);
            const drift2 = lean2 - (places[index * 3 + 2] as number);
            const drifted = drift0 * drift0 + drift1 * drift1 + drift2 * drift2;
            codes[depth] = child;
            lengths[depth] = length + 1;
            worths[depth] = worthOfNext - weight * (cost + driftWeight * drifted);
            drifts[depth * 3] = drift0;
            drifts[depth * 3 + 1] = drift1;
            drifts[depth++ * 3 + 2] = drift2;
          }
        else if (row !== leaveOnly)
          for (let rank = start; rank < start + colourCount; rank++) {
            const index = nearest[rank] as number;
            const cost = costs[start + index] as number;
            if (cost > allowed) break;
            const child = code < 0 ? index : (children[code * 256 + index] as number);
            if (code < 0 ? index >= rootCount : child === 0) continue;
            const drift0 = lean0 - (places[index * 3] as number);
            const drift1 = lean1 - (places[index * 3 + 1] as number);
            const drift2 = lean2 - (places[index * 3 + 2] as number);
            const drifted = drift0 * drift0 + drift1 * drift1 + drift2 * drift2;
            codes[depth] = child;
            lengths[depth] = length + 1;
            worths[depth] = worthOfNext - weight * (cost + driftWeight * drifted);
            drifts[depth * 3] = drift0;
            drifts[depth * 3 + 1] = drift1;
            drifts[depth++ * 3 + 2] = drift2;
          }
        const leaveCost = leaveCosts[at] as number;
        if (leaveCost <= allowed) {
          const child = code < 0 ? transparentIndex : (children[code * 256 + transparentIndex] as number);
          if (code < 0 || child !== 0) {
            placeColour(shownColours[at] as number, shown, 0);
            const drift0 = lean0 - (shown[0] as number);
            const drift1 = lean1 - (shown[1] as number);
            const drift2 = lean2 - (shown[2] as number);
            const drifted = drift0 * drift0 + drift1 * drift1 + drift2 * drift2;
            codes[depth] = child;
            lengths[depth] = length + 1;
            worths[depth] = worthOfNext - weight * (leaveCost + driftWeight * drifted);
            drifts[depth * 3] = drift0;
            drifts[depth * 3 + 1] = drift1;
            drifts[depth++ * 3 + 2] = drift2;
          }
        }
      }
      if (depth === 0) break;
      depth--;
      code = codes[depth] as number;
      length = lengths[depth] as number;
      worth = worths[depth] as number;
      left0 = drifts[depth * 3] as number;
      left1 = drifts[depth * 3 + 1] as number;
      left2 = drifts[depth * 3 + 2] as number;
      at = position + length;
      if (worth > bestWorth) {
        bestCode = code;
        bestLength = length;
        bestWorth = worth;
      }
    }
    match.code = bestCode < 0 ? leastBad(position) : bestCode;
    match.length = bestLength;
  };
}

const createStack = () => ({
  codes: new Uint16Array(stackSize),
  lengths: new Int32Array(stackSize),
  worths: new Float64Array(stackSize),
  drifts: new Float32Array(stackSize * 3),
});
