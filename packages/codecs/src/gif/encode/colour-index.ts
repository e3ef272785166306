/**
 * Numbers packed colours in order of first occurrence. A hash table with open addressing: a Map took six times as long.
 */
export type ColourIndex = {
  /** The number of the colour; a new one on first occurrence. */
  add(colour: number): number;
  /** The number of the colour; -1 if it was never added. */
  find(colour: number): number;
  /** All colours by number; a view, invalidated by the next `add`. */
  colours(): Uint32Array;
};

export function createColourIndex(expected = 256): ColourIndex {
  let mask = 1;
  while (mask < expected * 4) mask *= 2;
  let slots = new Int32Array(mask).fill(-1);
  let list = new Uint32Array(mask / 2);
  let count = 0;
  mask--;

  const slotOf = (colour: number): number => {
    let slot = (Math.imul(colour, 0x9e3779b1) >>> 8) & mask;
    while (slots[slot] !== -1 && list[slots[slot] as number] !== colour) slot = (slot + 1) & mask;
    return slot;
  };
  const grow = () => {
    mask = mask * 2 + 1;
    slots = new Int32Array(mask + 1).fill(-1);
    const larger = new Uint32Array((mask + 1) / 2);
    larger.set(list);
    list = larger;
    for (let number = 0; number < count; number++) slots[slotOf(list[number] as number)] = number;
  };
  return {
    add(colour) {
      const slot = slotOf(colour);
      const known = slots[slot] as number;
      if (known !== -1) return known;
      list[count] = colour;
      slots[slot] = count++;
      if (count * 2 > mask) grow();
      return count - 1;
    },
    find: (colour) => slots[slotOf(colour)] as number,
    colours: () => list.subarray(0, count),
  };
}
