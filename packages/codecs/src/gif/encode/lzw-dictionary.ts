/** Codes have at most 12 bits (GIF89a, appendix F). */
export const maximumCodes = 4096;

/**
 * The decoder's string table as a trie (GIF89a, appendix F). The children of a code are its string plus one index.
 * Codes below `clearCode` are the roots, one for each index. Children are kept as a table for look-ups and as linked
 * lists for enumeration.
 */
export type LzwDictionary = {
  clearCode: number;
  /** The first unused code; `maximumCodes` when the table is full. */
  nextCode: number;
  /** [code * 256 + index]: the child; 0 for none, since code 0 is a root. */
  children: Uint16Array;
  firstChild: Uint16Array;
  nextSibling: Uint16Array;
  childCount: Uint16Array;
  parent: Uint16Array;
  /** The last index of each code's string. */
  suffix: Uint8Array;
  /** Height of the subtree: an upper bound, since `unlinkChild` does not lower it. */
  height: Uint16Array;
};

export function createDictionary(): LzwDictionary {
  return {
    clearCode: 0,
    nextCode: 0,
    children: new Uint16Array(maximumCodes * 256),
    firstChild: new Uint16Array(maximumCodes),
    nextSibling: new Uint16Array(maximumCodes),
    childCount: new Uint16Array(maximumCodes),
    parent: new Uint16Array(maximumCodes),
    suffix: new Uint8Array(maximumCodes),
    height: new Uint16Array(maximumCodes),
  };
}

/** Resets the table to its roots, as a clear code does. */
export function resetDictionary(dictionary: LzwDictionary, rootBits: number): void {
  const { children, firstChild, childCount, suffix, height, nextCode } = dictionary;
  children.fill(0, 0, nextCode * 256);
  firstChild.fill(0, 0, nextCode);
  childCount.fill(0, 0, nextCode);
  height.fill(0, 0, nextCode + 1);
  dictionary.clearCode = 1 << rootBits;
  dictionary.nextCode = dictionary.clearCode + 2;
  for (let index = 0; index < dictionary.clearCode; index++) suffix[index] = index;
}

/** Links `nextCode` as the child of `parent` for `index`, without incrementing `nextCode`: see `takeStep`. */
export function linkChild(dictionary: LzwDictionary, parent: number, index: number): void {
  const { children, firstChild, nextSibling, childCount, suffix, height, nextCode } = dictionary;
  children[parent * 256 + index] = nextCode;
  suffix[nextCode] = index;
  dictionary.parent[nextCode] = parent;
  nextSibling[nextCode] = firstChild[parent] as number;
  firstChild[parent] = nextCode;
  childCount[parent] = (childCount[parent] as number) + 1;
  height[nextCode] = 0;
  for (
    let code = parent, above = 1;
    (height[code] as number) < above;
    code = dictionary.parent[code] as number, above++
  ) {
    height[code] = above;
    if (code < dictionary.clearCode) break;
  }
}

/** Undoes the latest `linkChild` of this parent. */
export function unlinkChild(dictionary: LzwDictionary, parent: number): void {
  const { children, firstChild, nextSibling, childCount, suffix } = dictionary;
  const child = firstChild[parent] as number;
  children[parent * 256 + (suffix[child] as number)] = 0;
  firstChild[parent] = nextSibling[child] as number;
  childCount[parent] = (childCount[parent] as number) - 1;
}
