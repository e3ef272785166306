/** Numbers packed colours in the order in which they are first seen. Open addressing: a Map took six times as long. */
export type ColourIndex = {
  /** Number of the colour, which it gets if it has none yet. */
  add(colour: number): number;
  /** Number of the colour, -1 where it was never added. */
  find(colour: number): number;
  /** All colours by their number; a view, outdated by the next `add`. */
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
