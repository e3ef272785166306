import type { Size } from "@tintype/codecs/raster";

/** The lowest alpha that still connects a strand to its root. */
const isJoined = 0.1;
const isSubject = 0.5;

/** States of a part's pixels: not in the band; in it and not reached yet; reached. */
const [outside, waiting, reached] = [0, 1, 2];

type EdgeBand = { pixels: Int32Array; prior: Float32Array; size: Size };

/**
 * Of the alpha added to the coarse matte, keeps only the parts connected to the subject: a strand is connected, a leaf
 * of the same colour is not. A part that reaches the border counts as connected.
 * @param alpha of the whole part, changed in place
 * @param prior alpha of the band's pixels before colours were compared
 */
export function keepConnected(alpha: Float32Array, { pixels, prior, size: { width, height } }: EdgeBand): void {
  const states = new Uint8Array(alpha.length).fill(outside);
  for (let k = 0; k < pixels.length; k += 1) states[pixels[k] as number] = waiting;
  const stack = new Int32Array(pixels.length); // each pixel is pushed once
  let top = 0;
  const reach = (i: number) => {
    states[i] = reached;
    stack[top] = i;
    top += 1;
  };
  for (let k = 0; k < pixels.length; k += 1) {
    const i = pixels[k] as number;
    const x = i % width;
    const isBorder = x === 0 || x + 1 === width || i < width || i + width >= alpha.length;
    if (isBorder ? (alpha[i] as number) >= isJoined : (prior[k] as number) > isSubject) reach(i);
  }
  while (top > 0) {
    top -= 1;
    const i = stack[top] as number;
    const x = i % width;
    const y = (i - x) / width;
    for (let dy = y > 0 ? -1 : 0; dy <= (y + 1 < height ? 1 : 0); dy += 1)
      for (let dx = x > 0 ? -1 : 0; dx <= (x + 1 < width ? 1 : 0); dx += 1) {
        const next = i + dy * width + dx;
        if (states[next] === waiting && (alpha[next] as number) >= isJoined) reach(next);
      }
  }
  for (let k = 0; k < pixels.length; k += 1) {
    const i = pixels[k] as number;
    if (states[i] === waiting) alpha[i] = Math.min(alpha[i] as number, prior[k] as number);
  }
}
