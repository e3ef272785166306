// The inner loops of upscale/clamp-bytes.ts, sixteen samples an instruction. All addresses and lengths are bytes; rows may
// be read and written up to 64 bytes past their end.

/** Bytes of one instruction's samples. */
const block: usize = 16;
/** Bytes of an entry of `spread`: sixteen places, then from which bound on they count. */
const entryBytes: usize = 32;

/** The least of three neighbours in a row, `step` bytes apart. */
function leastAcross(at: usize, step: usize): v128 {
  return i8x16.min_u(v128.load(at), i8x16.min_u(v128.load(at - step), v128.load(at + step)));
}

function greatestAcross(at: usize, step: usize): v128 {
  return i8x16.max_u(v128.load(at), i8x16.max_u(v128.load(at - step), v128.load(at + step)));
}

/**
 * For each sample of the middle one of three rows: the least and the greatest of the nine around it, and beyond them once
 * more the span between them where `slack` has its bits set. Ends at `end` of the middle row.
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
 * Keeps an enlarged row, in place, between the bounds of its source's samples. `spread` says which bounds belong to each
 * sixteen samples; after `spreadEnd` it begins again, with bounds `advance` bytes on.
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
