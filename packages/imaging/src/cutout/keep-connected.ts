import type { PlaneSize } from "./planes.ts";

/** As little as this still joins a strand to what it grows from. */
const isJoined = 0.1;
const isSubject = 0.5;

/**
 * Leaves of what was added to the coarse matte only what hangs together with the subject: a strand does, a leaf of the
 * same colour does not. What goes on beyond the borders is taken to come from there.
 * @param prior alpha before colours were asked
 */
export function keepConnected(alpha: Float32Array, prior: Float32Array, { width, height }: PlaneSize): Float32Array {
  const reached = new Uint8Array(alpha.length);
  const stack: number[] = [];
  const visit = (i: number) => {
    if (reached[i] || (alpha[i] as number) < isJoined) return;
    reached[i] = 1;
    stack.push(i);
  };
  for (let i = 0; i < alpha.length; i += 1) {
    const x = i % width;
    const isBorder = x === 0 || x + 1 === width || i < width || i + width >= alpha.length;
    if (isBorder) visit(i);
    else if ((prior[i] as number) > isSubject) {
      reached[i] = 1;
      // Only the rim has neighbours that are not reached anyway.
      const isInside =
        (prior[i - 1] as number) > isSubject &&
        (prior[i + 1] as number) > isSubject &&
        (prior[i - width] as number) > isSubject &&
        (prior[i + width] as number) > isSubject;
      if (!isInside) stack.push(i);
    }
  }
  for (let i = stack.pop(); i !== undefined; i = stack.pop()) {
    const x = i % width;
    const y = (i - x) / width;
    for (let dy = y > 0 ? -1 : 0; dy <= (y + 1 < height ? 1 : 0); dy += 1)
      for (let dx = x > 0 ? -1 : 0; dx <= (x + 1 < width ? 1 : 0); dx += 1) visit(i + dy * width + dx);
  }
  const kept = alpha.slice();
  for (let i = 0; i < kept.length; i += 1) if (!reached[i]) kept[i] = Math.min(alpha[i] as number, prior[i] as number);
  return kept;
}
