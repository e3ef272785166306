/** LZW codes of GIF have at most 12 bits (GIF89a, appendix F). */
export const maximumCodes = 4096;

/**
 * The strings an LZW decoder knows at one moment, as a tree: each code is a string, its children are that string and
 * one index more. Codes below `clearCode` are the single indices. Both forms of the children are kept: a table for
 * "has this string that child", and lists for strings with few children.
 */
export type LzwDictionary = {
  clearCode: number;
  /** The code that the next entry gets; `maximumCodes` when full. */
  nextCode: number;
  /** [code * 256 + index]: the child, 0 = none (code 0 is a root, never a child). */
  children: Uint16Array;
  firstChild: Uint16Array;
  nextSibling: Uint16Array;
  childCount: Uint16Array;
  parent: Uint16Array;
  /** The last index of each code's string. */
  suffix: Uint8Array;
  /** At least how many indices the longest string that begins with this one has beyond it. */
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

/** Resets to the single indices, as a clear code resets the decoder. */
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

/** Makes `nextCode` the string of `parent` and then `index`, without counting it: see `takeStep`. */
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

/** Takes back the latest `linkChild` of this parent. */
export function unlinkChild(dictionary: LzwDictionary, parent: number): void {
  const { children, firstChild, nextSibling, childCount, suffix } = dictionary;
  const child = firstChild[parent] as number;
  children[parent * 256 + (suffix[child] as number)] = 0;
  firstChild[parent] = nextSibling[child] as number;
  childCount[parent] = (childCount[parent] as number) - 1;
}
