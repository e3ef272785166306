/** Bytes from `start` up to, and not with, `end`. */
export type Range = { start: number; end: number };

/**
 * A copy in which the bytes of `drop` are blanked, except those that are also in `keep`: a file whose tables claim that its pixels
 * are within its metadata must not lose them.
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
