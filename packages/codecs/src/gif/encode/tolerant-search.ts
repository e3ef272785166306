import { placeColour } from "./colour-distance.ts";
import { createDrift, driftMemory } from "./drift.ts";
import type { LzwDictionary } from "./lzw-dictionary.ts";
import type { StringSearch } from "./lzw-walk.ts";
import { createTolerantChildren } from "./tolerant-children.ts";
import { leaveOnly, type TolerantChoices } from "./tolerant-choices.ts";

/**
 * The error of one pixel may cost as much as this many pixels save in bits. 2 gave the same SSIMULACRA 2 score at the
 * same bytes in a third more time; 1 was worse.
 */
const patience = 1.4;
/** Weight of the squared drift relative to the squared error of the pixel. */
export const driftWeight = 0.35;
/** Strings visited for one code. It bounds the time for pictures of nearly one colour. */
const maximumVisits = 512;

/**
 * Lossy LZW (GIF89a, appendix F): finds the dictionary string of the greatest worth, which is the bits saved by the
 * pixels it covers less the cost of their errors. Errors are measured against the original frame, and do not accumulate
 * from frame to frame. The drift (see `Drift`) counts too, so that an area keeps its mean while its pixels vary: at the
 * same bytes that left 3 dB less error at a quarter of the size, for 0.05 dB more at full size.
 *
 * Branch and bound: the search visits the most promising child first, and prunes a string that no error-free
 * continuation could make worth more than the best one.
 */
export function createTolerantSearch(choices: TolerantChoices, indices: Uint8Array): StringSearch {
  const { width, rows, wantedColours, transparentIndex, activity, weights } = choices;
  const { distancePerBit, limit } = choices.tolerance;
  const pixelCount = rows.length;
  const drift = createDrift(choices, indices);
  const children = createTolerantChildren(choices);
  const stack = createStringStack();
  const wanted = new Float32Array(3);
  /** The string that is being extended; code -1 is the empty string. */
  const string = { code: -1, length: 0, worth: 0, drift: new Float32Array(3) };
  const best = { code: -1, length: 1, worth: Number.NEGATIVE_INFINITY };
  let depth = 0;
  /** By code: how many indices its longest extension adds. */
  let height: LzwDictionary["height"];
  let worthOfPixel = 0;

  function start(position: number): void {
    drift.follow(position);
    string.code = -1;
    string.length = 0;
    string.worth = 0;
    string.drift.set(drift.left);
    best.code = -1;
    best.length = 1;
    best.worth = Number.NEGATIVE_INFINITY;
    depth = 0;
  }

  /** Compares the listed children with the best string, and pushes those worth extending, the best one on top. */
  function visitChildren(count: number, at: number, weight: number): void {
    const { above } = drift;
    const { codes, lengths, worths, drifts } = stack;
    const { codes: childCodes, places, costs, coordinates } = children;
    const column = (at % width) * 3;
    placeColour(wantedColours[at] as number, wanted, 0);
    const lean0 = driftMemory * ((string.drift[0] as number) + (above[column] as number)) + (wanted[0] as number);
    const lean1 = driftMemory * ((string.drift[1] as number) + (above[column + 1] as number)) + (wanted[1] as number);
    const lean2 = driftMemory * ((string.drift[2] as number) + (above[column + 2] as number)) + (wanted[2] as number);
    const worthOfNext = string.worth + worthOfPixel;
    const length = string.length + 1;
    const bottom = depth;
    let next = depth;
    let top = -1;
    for (let each = 0; each < count; each++) {
      const place = (places[each] as number) * 3;
      const drift0 = lean0 - (coordinates[place] as number);
      const drift1 = lean1 - (coordinates[place + 1] as number);
      const drift2 = lean2 - (coordinates[place + 2] as number);
      const drifted = drift0 * drift0 + drift1 * drift1 + drift2 * drift2;
      const worth = worthOfNext - weight * ((costs[each] as number) + driftWeight * drifted);
      const code = childCodes[each] as number;
      if (worth > best.worth) {
        best.worth = worth;
        best.code = code;
        best.length = length;
      }
      const most = worth + (height[code] as number) * worthOfPixel;
      if (height[code] === 0 || most <= best.worth) continue;
      codes[next] = code;
      lengths[next] = length;
      worths[next] = worth;
      drifts[next * 3] = drift0;
      drifts[next * 3 + 1] = drift1;
      drifts[next * 3 + 2] = drift2;
      if (top < 0 || worth > (worths[top] as number)) top = next;
      next++;
    }
    if (next - bottom > 1) stack.swap(top, next - 1);
    depth = next;
  }

  /** Pops the next string that may still exceed the best one. @returns false if there is none */
  function takeString(): boolean {
    const { codes, lengths, worths, drifts } = stack;
    do depth--;
    while (
      depth >= 0 &&
      (worths[depth] as number) + (height[codes[depth] as number] as number) * worthOfPixel <= best.worth
    );
    if (depth < 0) return false;
    string.code = codes[depth] as number;
    string.length = lengths[depth] as number;
    string.worth = worths[depth] as number;
    for (let axis = 0; axis < 3; axis++) string.drift[axis] = drifts[depth * 3 + axis] as number;
    return true;
  }

  /** The index of the least error, for a pixel at which no string is within the limit. */
  function leastBad(position: number): number {
    const row = rows[position] as number;
    return row === leaveOnly ? transparentIndex : (choices.colours.nearest[row * 256] as number);
  }

  return (dictionary, position, match, pixelsPerCode) => {
    height = dictionary.height;
    worthOfPixel = (distancePerBit * 12) / pixelsPerCode;
    const reach = Math.min(limit, patience * worthOfPixel);
    start(position);
    for (let visits = 0; visits < maximumVisits; visits++) {
      const at = position + string.length;
      const weight = weights[activity[at] as number] as number;
      const count = at < pixelCount ? children.list(dictionary, string.code, at, reach / weight) : 0;
      if (count > 0) visitChildren(count, at, weight);
      if (!takeString()) break;
    }
    match.code = best.code < 0 ? leastBad(position) : best.code;
    match.length = best.length;
  };
}

const stackSize = 8192;

/** Strings still to be extended, last in first out. */
function createStringStack() {
  const codes = new Uint16Array(stackSize);
  const lengths = new Int32Array(stackSize);
  const worths = new Float64Array(stackSize);
  /** The drift after the string's last pixel, three coordinates each. */
  const drifts = new Float32Array(stackSize * 3);
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
  return { codes, lengths, worths, drifts, swap };
}
