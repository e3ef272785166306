import type { Raster } from "../../raster/raster.ts";

/** One byte a pixel, and the colours they mean: 0xRRGGBB, in order of appearance, 256 at most. */
export type IndexedPixels = { indices: Uint8Array; colours: number[] };

/** Slots of the colour table: four times its capacity, which ends a search after a step or two. */
const slots = 1024;
const free = -1;

/**
 * Converts the picture to indices into a palette, or gives nothing if it has more than 256 colours. It ignores alpha.
 */
export function indexColours({
  channels,
  data,
}: Pick<Raster<Uint8Array>, "channels" | "data">): IndexedPixels | undefined {
  const keys = new Int32Array(slots).fill(free);
  const values = new Uint8Array(slots);
  const colours: number[] = [];
  const indices = new Uint8Array(data.length / channels);
  for (let pixel = 0, at = 0; at < data.length; pixel++, at += channels) {
    const red = data[at] ?? 0;
    const colour = channels === 1 ? red * 0x010101 : (red << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0);
    let slot = (Math.imul(colour, 0x9e3779b1) >>> 22) % slots; // Fibonacci hashing, its top ten bits
    while (keys[slot] !== colour && keys[slot] !== free) slot = (slot + 1) % slots;
    if (keys[slot] === free) {
      if (colours.length === 256) return undefined;
      keys[slot] = colour;
      values[slot] = colours.length;
      colours.push(colour);
    }
    indices[pixel] = values[slot] ?? 0;
  }
  return { indices, colours };
}
