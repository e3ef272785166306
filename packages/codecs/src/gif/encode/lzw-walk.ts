import {
  createDictionary,
  type LzwDictionary,
  linkChild,
  maximumCodes,
  resetDictionary,
  unlinkChild,
} from "./lzw-dictionary.ts";

/** A dictionary string for the next pixels: its code and its length in pixels. */
export type Match = { code: number; length: number };

/**
 * Finds the best dictionary string for a position and writes it to `match`. It covers at least one pixel.
 * @param pixelsPerCode the running mean of match lengths, for searches that weigh bits against errors
 */
export type StringSearch = (dictionary: LzwDictionary, position: number, match: Match, pixelsPerCode: number) => void;

export type LzwPicture = {
  pixelCount: number;
  /** The LZW minimum code size (GIF89a, 22), 2 to 8: the search must choose indices below 1 << rootBits. */
  rootBits: number;
  search: StringSearch;
  /** Receives the chosen index of each pixel: [pixelCount]. */
  indices: Uint8Array;
};

/** The state of the LZW encoder (GIF89a, appendix F). */
export type LzwWalk = {
  dictionary: LzwDictionary;
  codes: Uint16Array;
  codeCount: number;
  /** The position of the next pixel. */
  position: number;
  /** The previous code, -1 after a clear code; and the first index of its string. */
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

/** Restarts the encoder at `position`, without codes and with a cleared dictionary. */
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

/** Weight of the newest match in the exponential mean of match lengths. */
const meanRate = 0.02;

/** Writes one code. @returns the bits it takes */
export function takeStep(walk: LzwWalk, { search, indices }: LzwPicture): number {
  const { dictionary, match, previous, previousFirst, position } = walk;
  const hasEntry = previous >= 0 && dictionary.nextCode < maximumCodes;
  // The decoder's next entry is the previous string plus the first index of this one. This code may be that entry
  // itself (the KwKwK case), if its string starts with the first index of the previous one. Link the entry for the
  // search, and unlink it if the match starts with another index.
  const isOffered = hasEntry && dictionary.children[previous * 256 + previousFirst] === 0;
  if (isOffered) linkChild(dictionary, previous, previousFirst);
  search(dictionary, position, match, walk.pixelsPerCode);
  writeIndices(dictionary, match, indices, position);
  const first = indices[position] as number;
  if (isOffered && first !== previousFirst) unlinkChild(dictionary, previous);
  if (hasEntry) {
    if (dictionary.children[previous * 256 + first] === 0) linkChild(dictionary, previous, first);
    dictionary.nextCode++; // the decoder adds a duplicate string as a new entry
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
