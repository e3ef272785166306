// The inner loops of formats/png/filter.ts, sixteen bytes per instruction: plain JavaScript takes thirty times as long.
// Filter types are those of PNG, third edition, 9.2. `row` and `above` are the addresses of two rows, `end` is the end
// of `row`. The left neighbour of a byte is `back` bytes before it: each row is preceded by that many zeros. Addresses
// and lengths are bytes. Rows may be read and written up to 16 bytes past their end.

const block: usize = 16;

/** Swaps the bytes of little-endian 16-bit samples. */
export function swapBytes(at: usize, end: usize): void {
  for (; at < end; at += block) {
    const samples = v128.load(at);
    v128.store(at, i8x16.shuffle(samples, samples, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14));
  }
}

/** floor((left + above) / 2); the instruction rounds up. */
function average(left: v128, above: v128): v128 {
  return i8x16.sub(i8x16.avgr_u(left, above), v128.and(v128.xor(left, above), i8x16.splat(1)));
}

function distance(a: v128, b: v128): v128 {
  return i8x16.sub(i8x16.max_u(a, b), i8x16.min_u(a, b));
}

/**
 * The Paeth predictor in bytes. With p = left + above - corner, the distances to left and above are |above - corner|
 * and |left - corner|. The distance to the corner is their sum if both differences have the same sign, otherwise their
 * difference. The sum may saturate at 255, because it is only compared with its summands.
 */
function paeth(left: v128, above: v128, corner: v128): v128 {
  const toLeft = distance(above, corner);
  const toAbove = distance(left, corner);
  const toCorner = v128.bitselect(
    distance(toLeft, toAbove),
    i8x16.add_sat_u(toLeft, toAbove),
    v128.xor(i8x16.ge_u(above, corner), i8x16.ge_u(left, corner)),
  );
  return v128.bitselect(
    left,
    v128.bitselect(above, corner, i8x16.le_u(toAbove, toCorner)),
    v128.and(i8x16.le_u(toLeft, toAbove), i8x16.le_u(toLeft, toCorner)),
  );
}

/** The absolute values of sixteen differences as signed bytes, summed in groups of four. */
function sizes(differences: v128): v128 {
  return i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(i8x16.abs(differences)));
}

function total(sums: v128): u32 {
  return (
    i32x4.extract_lane(sums, 0) +
    i32x4.extract_lane(sums, 1) +
    (i32x4.extract_lane(sums, 2) + i32x4.extract_lane(sums, 3))
  );
}

/** The filter type with the minimum sum of absolute differences; the lowest type on ties. */
export function chooseFilter(row: usize, above: usize, back: usize, end: usize): u32 {
  let none = i32x4.splat(0);
  let sub = none;
  let up = none;
  let mean = none;
  let predicted = none;
  do {
    const here = v128.load(row);
    const over = v128.load(above);
    const left = v128.load(row - back);
    const corner = v128.load(above - back);
    none = i32x4.add(none, sizes(here));
    sub = i32x4.add(sub, sizes(i8x16.sub(here, left)));
    up = i32x4.add(up, sizes(i8x16.sub(here, over)));
    mean = i32x4.add(mean, sizes(i8x16.sub(here, average(left, over))));
    predicted = i32x4.add(predicted, sizes(i8x16.sub(here, paeth(left, over, corner))));
    above += block;
    row += block;
  } while (row < end);
  let filter = 0;
  let least = total(none);
  let sum = total(sub);
  if (sum < least) {
    least = sum;
    filter = 1;
  }
  sum = total(up);
  if (sum < least) {
    least = sum;
    filter = 2;
  }
  sum = total(mean);
  if (sum < least) {
    least = sum;
    filter = 3;
  }
  return total(predicted) < least ? 4 : filter;
}

/** Writes the filtered row to `to`. */
export function applyFilter(filter: u32, row: usize, above: usize, back: usize, end: usize, to: usize): void {
  do {
    const left = v128.load(row - back);
    const over = v128.load(above);
    let expected = i32x4.splat(0);
    switch (filter) {
      case 1:
        expected = left;
        break;
      case 2:
        expected = over;
        break;
      case 3:
        expected = average(left, over);
        break;
      case 4:
        expected = paeth(left, over, v128.load(above - back));
        break;
    }
    v128.store(to, i8x16.sub(v128.load(row), expected));
    above += block;
    to += block;
    row += block;
  } while (row < end);
}
