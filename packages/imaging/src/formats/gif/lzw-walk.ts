import {
  createDictionary,
  type LzwDictionary,
  linkChild,
  maximumCodes,
  resetDictionary,
  unlinkChild,
} from "./lzw-dictionary.ts";

/** The string for the next pixels: its code, and how many pixels it covers. */
export type Match = { code: number; length: number };

/**
 * Finds the best string of the dictionary for a position and writes it into `match`. It finds at least one pixel.
 * @param pixelsPerCode the recent mean length of codes, for searches that weigh bits against likeness
 */
export type StringSearch = (dictionary: LzwDictionary, position: number, match: Match, pixelsPerCode: number) => void;

export type LzwPicture = {
  pixelCount: number;
  /** Every index that the search may choose is below 1 << rootBits. 2 to 8. */
  rootBits: number;
  search: StringSearch;
  /** The chosen indices, one a pixel: [pixelCount]. */
  indices: Uint8Array;
};

/** The state of an encoder in the middle of a picture. */
export type LzwWalk = {
  dictionary: LzwDictionary;
  codes: Uint16Array;
  codeCount: number;
  /** The position of the next pixel. */
  position: number;
  /** The code written last, -1 at the beginning of a dictionary, and its first index. */
  previous: number;
  previousFirst: number;
  match: Match;
  pixelsPerCode: number;
};

export const createWalk = (): LzwWalk => ({
  dictionary: createDictionary(),
  codes: new Uint16Array(1 << 14),
  codeCount: 0,
  position: 0,
  previous: -1,
  previousFirst: 0,
  match: { code: 0, length: 0 },
  pixelsPerCode: 8,
});

/** Makes a walk begin at `position` with nothing written and nothing known. */
export function startWalk(walk: LzwWalk, rootBits: number, position: number): void {
  resetDictionary(walk.dictionary, rootBits);
  walk.codeCount = 0;
  walk.position = position;
  walk.previous = -1;
}

/** Writes a clear code and resets the dictionary. */
export function renew(walk: LzwWalk, rootBits: number): void {
  addCode(walk, walk.dictionary.clearCode);
  resetDictionary(walk.dictionary, rootBits);
  walk.previous = -1;
}

export const isFull = ({ dictionary }: LzwWalk): boolean => dictionary.nextCode >= maximumCodes;

/** Weight of the newest match in the running mean of lengths. */
const meanRate = 0.02;

/** Writes one code. @returns the bits it takes */
export function takeStep(walk: LzwWalk, { search, indices }: LzwPicture): number {
  const { dictionary, match, previous, previousFirst, position } = walk;
  const hasEntry = previous >= 0 && dictionary.nextCode < maximumCodes;
  // The decoder adds "the string before and the first index of this one" while it reads this one. This one may
  // therefore be that very entry, if it begins like the string before: runs grow like this. The walk links the entry
  // for the search, and unlinks it if the search does not begin like it.
  const isOffered = hasEntry && dictionary.children[previous * 256 + previousFirst] === 0;
  if (isOffered) linkChild(dictionary, previous, previousFirst);
  search(dictionary, position, match, walk.pixelsPerCode);
  writeIndices(dictionary, match, indices, position);
  const first = indices[position] as number;
  if (isOffered && first !== previousFirst) unlinkChild(dictionary, previous);
  if (hasEntry) {
    if (dictionary.children[previous * 256 + first] === 0) linkChild(dictionary, previous, first);
    dictionary.nextCode++; // an entry that the decoder has twice still takes a number
  }
  addCode(walk, match.code);
  walk.pixelsPerCode += (match.length - walk.pixelsPerCode) * meanRate;
  walk.position += match.length;
  walk.previous = match.code;
  walk.previousFirst = first;
  return 32 - Math.clz32(dictionary.nextCode - 1);
}

function writeIndices({ suffix, parent }: LzwDictionary, match: Match, indices: Uint8Array, position: number): void {
  let code = match.code;
  for (let at = position + match.length - 1; at >= position; at--) {
    indices[at] = suffix[code] as number;
    code = parent[code] as number;
  }
}

export function addCode(walk: LzwWalk, code: number): void {
  if (walk.codeCount === walk.codes.length) {
    const larger = new Uint16Array(walk.codes.length * 2);
    larger.set(walk.codes);
    walk.codes = larger;
  }
  walk.codes[walk.codeCount++] = code;
}
