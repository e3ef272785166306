const stackSize = 8192;

/** Strings that a search may still continue; the one on top is continued next. */
export function createStringStack() {
  const codes = new Uint16Array(stackSize);
  const lengths = new Int32Array(stackSize);
  const worths = new Float64Array(stackSize);
  /** Three coordinates of the drift after the string's last pixel. */
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
