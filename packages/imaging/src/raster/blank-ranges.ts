/** Bytes from `start` up to `end`, exclusive. */
export type Range = { start: number; end: number };

/**
 * Copies the bytes and overwrites the ranges of `drop` except where they overlap `keep`: pixels must survive in a file
 * whose metadata ranges overlap its pixel data.
 */
export function blank(
  bytes: Uint8Array,
  { drop, keep, by = 0 }: { drop: Range[]; keep: Range[]; by?: number },
): Uint8Array {
  const copy = Uint8Array.from(bytes);
  for (const { start, end } of drop) copy.fill(by, start, end);
  for (const { start, end } of keep)
    if (start < end && start < bytes.length) copy.set(bytes.subarray(start, end), start);
  return copy;
}
