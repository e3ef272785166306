// The inner loops of upscale/clamp-bytes.ts, sixteen samples per instruction. Addresses and lengths are bytes. Rows may
// be read and written up to 64 bytes past their end.

/** Bytes of samples per instruction. */
const block: usize = 16;
/** Bytes of an entry of `spread`: sixteen indices of bounds, then the offset that they are relative to. */
const entryBytes: usize = 32;

/** The minimum of three samples of a row, `step` bytes apart. */
function leastAcross(at: usize, step: usize): v128 {
  return i8x16.min_u(v128.load(at), i8x16.min_u(v128.load(at - step), v128.load(at + step)));
}

function greatestAcross(at: usize, step: usize): v128 {
  return i8x16.max_u(v128.load(at), i8x16.max_u(v128.load(at - step), v128.load(at + step)));
}

/**
 * For each sample of the middle one of three rows: the minimum and the maximum of its 3 x 3 neighbourhood. If the bits
 * of `slack` are set, both are extended by their difference. Ends at `end` of the middle row.
 */
export function bound(
  above: usize,
  row: usize,
  below: usize,
  end: usize,
  step: usize,
  slack: i32,
  low: usize,
  high: usize,
): void {
  const mask = i32x4.splat(slack);
  do {
    const least = i8x16.min_u(leastAcross(row, step), i8x16.min_u(leastAcross(above, step), leastAcross(below, step)));
    const greatest = i8x16.max_u(
      greatestAcross(row, step),
      i8x16.max_u(greatestAcross(above, step), greatestAcross(below, step)),
    );
    const more = v128.and(mask, i8x16.sub(greatest, least));
    v128.store(low, i8x16.sub_sat_u(least, more));
    v128.store(high, i8x16.add_sat_u(greatest, more));
    above += block;
    below += block;
    low += block;
    high += block;
    row += block;
  } while (row < end);
}

/**
 * Clamps an enlarged row, in place, to the bounds of its source's samples. An entry of `spread` selects the bounds of
 * sixteen samples; after `spreadEnd` the entries repeat, with bounds `advance` bytes further on.
 */
export function clamp(
  row: usize,
  end: usize,
  low: usize,
  high: usize,
  spread: usize,
  spreadEnd: usize,
  advance: usize,
): void {
  do {
    let entry = spread;
    do {
      const places = v128.load(entry);
      const from = load<u32>(entry, block);
      v128.store(
        row,
        i8x16.min_u(
          i8x16.swizzle(v128.load(high + from), places),
          i8x16.max_u(i8x16.swizzle(v128.load(low + from), places), v128.load(row)),
        ),
      );
      row += block;
      entry += entryBytes;
    } while (entry < spreadEnd);
    low += advance;
    high += advance;
  } while (row < end);
}
