// The inner loops of resample/shrink.ts, eight samples per instruction: plain JavaScript takes five times as long.
// Addresses and lengths are bytes. Rows may be read and written up to 64 bytes past their end.
import { fullLight, fullWeight, lights, values, weightBits } from "../layout/shrink";

/** The linear light of a sample. `twice` has the sample in bits 1 to 8. */
function lightOf(twice: u32): u32 {
  return load<u16>(twice & 510, lights);
}

/**
 * Converts two rows of samples without alpha to linear light, four samples of each at a time. Samples of the same
 * column share a word: the upper one in the low half, the lower one in the high half.
 */
export function loadOpaque(upper: usize, lower: usize, to: usize, end: usize): void {
  do {
    const a = load<u32>(upper);
    const b = load<u32>(lower);
    store<u32>(to, lightOf(a << 1) | (lightOf(b << 1) << 16));
    store<u32>(to, lightOf(a >>> 7) | (lightOf(b >>> 7) << 16), 4);
    store<u32>(to, lightOf(a >>> 15) | (lightOf(b >>> 15) << 16), 8);
    store<u32>(to, lightOf(a >>> 23) | (lightOf(b >>> 23) << 16), 12);
    to += 16;
    lower += 4;
    upper += 4;
  } while (upper < end);
}

/** value * alpha / 255, rounded; exact enough up to 24000 * 255 (with the usual 257 / 65536 for 1 / 255). */
function scaled(value: u32, alpha: u32): u32 {
  return (value * alpha * 257 + 32768) >>> 16;
}

/** The same for RGBA: light times alpha, and alpha on the same scale. */
export function loadAlpha(upper: usize, lower: usize, to: usize, end: usize): void {
  do {
    const a = load<u32>(upper);
    const b = load<u32>(lower);
    const alphaA = a >>> 24;
    const alphaB = b >>> 24;
    store<u32>(to, scaled(lightOf(a << 1), alphaA) | (scaled(lightOf(b << 1), alphaB) << 16));
    store<u32>(to, scaled(lightOf(a >>> 7), alphaA) | (scaled(lightOf(b >>> 7), alphaB) << 16), 4);
    store<u32>(to, scaled(lightOf(a >>> 15), alphaA) | (scaled(lightOf(b >>> 15), alphaB) << 16), 8);
    store<u32>(to, scaled(fullLight, alphaA) | (scaled(fullLight, alphaB) << 16), 12);
    to += 16;
    lower += 4;
    upper += 4;
  } while (upper < end);
}

/** Half the darker sample of each pair in a word: the lower bound of the light (see resample/lanczos.ts). */
function floorOf(pairs: v128): v128 {
  return i32x4.shr_s(i32x4.min_s(i32x4.shr_s(i32x4.shl(pairs, 16), 16), i32x4.shr_s(pairs, 16)), 1);
}

/** The upper samples of the eight pairs from `at` on. */
function uppers(at: usize): v128 {
  return i8x16.shuffle(v128.load(at), v128.load(at, 16), 0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29);
}

/**
 * The weighted sum of rows, 16 samples at a time, at least the floor. `rows`: the addresses of loaded pairs of rows;
 * `weights`: a pair of weights for each. `to` is the row of sums, `end` its end.
 */
export function blendRows(rows: usize, pairs: usize, weights: usize, to: usize, end: usize): void {
  const last = rows + (pairs << 2);
  const middle: usize = load<u32>(rows + ((pairs >> 1) << 2));
  let offset: usize = 0;
  do {
    let sum0 = i32x4.splat(fullWeight / 2);
    let sum1 = sum0;
    let sum2 = sum0;
    let sum3 = sum0;
    let row = rows;
    let weight = weights;
    do {
      const at = <usize>load<u32>(row) + offset;
      const pair = v128.load32_splat(weight);
      sum0 = i32x4.add(sum0, i32x4.dot_i16x8_s(pair, v128.load(at)));
      sum1 = i32x4.add(sum1, i32x4.dot_i16x8_s(pair, v128.load(at, 16)));
      sum2 = i32x4.add(sum2, i32x4.dot_i16x8_s(pair, v128.load(at, 32)));
      sum3 = i32x4.add(sum3, i32x4.dot_i16x8_s(pair, v128.load(at, 48)));
      weight += 4;
      row += 4;
    } while (row < last);
    let low = i16x8.narrow_i32x4_s(i32x4.shr_s(sum0, weightBits), i32x4.shr_s(sum1, weightBits));
    let high = i16x8.narrow_i32x4_s(i32x4.shr_s(sum2, weightBits), i32x4.shr_s(sum3, weightBits));
    // The darkest tap is no brighter than the centre one: the floor applies only if the sum is below half of the
    // centre.
    const centre = middle + offset;
    if (
      v128.any_true(
        v128.or(i16x8.lt_s(low, i16x8.shr_s(uppers(centre), 1)), i16x8.lt_s(high, i16x8.shr_s(uppers(centre + 32), 1))),
      )
    ) {
      sum0 = i16x8.splat(32767);
      sum1 = sum0;
      sum2 = sum0;
      sum3 = sum0;
      row = rows;
      do {
        const at = <usize>load<u32>(row) + offset;
        sum0 = i16x8.min_s(sum0, v128.load(at));
        sum1 = i16x8.min_s(sum1, v128.load(at, 16));
        sum2 = i16x8.min_s(sum2, v128.load(at, 32));
        sum3 = i16x8.min_s(sum3, v128.load(at, 48));
        row += 4;
      } while (row < last);
      low = i16x8.max_s(low, i16x8.narrow_i32x4_s(floorOf(sum0), floorOf(sum1)));
      high = i16x8.max_s(high, i16x8.narrow_i32x4_s(floorOf(sum2), floorOf(sum3)));
    }
    v128.store(to, low);
    v128.store(to, high, 16);
    offset += 64;
    to += 32;
  } while (to < end);
}

/** Sums of taps as light: at least `floor`, at most `fullLight`. */
function inRange(sums: v128, floor: v128): v128 {
  return i32x4.min_s(i32x4.max_s(i32x4.shr_s(sums, weightBits), floor), i32x4.splat(fullLight));
}

/** Half the darkest of the pixels from `at` to `end`, `size` bytes each, by channel: the lower bound of the light. */
function floorAcross(at: usize, end: usize, size: usize): v128 {
  let dark = v128.load64_zero(at);
  do {
    dark = i16x8.min_s(dark, v128.load64_zero(at));
    at += size;
  } while (at < end);
  return i32x4.shr_s(i32x4.extend_low_i16x8_s(dark), 1);
}

/** The sample value of light within 0..fullLight. */
function sampleOf(light: u32): u32 {
  return load<u8>(light, values);
}

/**
 * Resamples grey light to grey samples. `starts`: the offset of each pixel's first tap in the row; `groups` of eight
 * weights per pixel.
 */
export function acrossOne(row: usize, starts: usize, weights: usize, groups: usize, to: usize, end: usize): void {
  const size = groups << 4;
  const half = groups << 3;
  do {
    let sum = i32x4(fullWeight / 2, 0, 0, 0);
    const first = row + load<u32>(starts);
    let at = first;
    const last = weights + size;
    do {
      sum = i32x4.add(sum, i32x4.dot_i16x8_s(v128.load(weights), v128.load(at)));
      at += 16;
      weights += 16;
    } while (weights < last);
    const total =
      i32x4.extract_lane(sum, 0) +
      i32x4.extract_lane(sum, 1) +
      (i32x4.extract_lane(sum, 2) + i32x4.extract_lane(sum, 3));
    let floor = i32x4.splat(0);
    const halfOfMiddle: i32 = load<u16>(first + half) >>> 1;
    if (total >> weightBits < halfOfMiddle) floor = floorAcross(first, at, 2);
    store<u8>(to, sampleOf(i32x4.extract_lane(inRange(i32x4.splat(total), floor), 0)));
    starts += 4;
    to += 1;
  } while (to < end);
}

/** Interleaves two adjacent RGB pixels, R R G G B B, to match their pair of weights. */
function pairOfThree(pixels: v128): v128 {
  return i8x16.shuffle(pixels, pixels, 0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11, 12, 13, 14, 15);
}

/** Resamples RGB light to RGB samples; `groups` of four weights per pixel. */
export function acrossThree(row: usize, starts: usize, weights: usize, groups: usize, to: usize, end: usize): void {
  const size = groups << 3;
  const half = groups * 12;
  do {
    let sum = i32x4.splat(fullWeight / 2);
    let more = i32x4.splat(0);
    const first = row + load<u32>(starts);
    let at = first;
    const last = weights + size;
    do {
      sum = i32x4.add(sum, i32x4.dot_i16x8_s(v128.load32_splat(weights), pairOfThree(v128.load(at))));
      more = i32x4.add(more, i32x4.dot_i16x8_s(v128.load32_splat(weights, 4), pairOfThree(v128.load(at, 12))));
      at += 24;
      weights += 8;
    } while (weights < last);
    sum = i32x4.add(sum, more);
    // As in blendRows: the floor applies only if the sum is below half of the centre pixel.
    let floor = i32x4.splat(0);
    const middle = v128.load16x4_s(first + half);
    if (i32x4.bitmask(i32x4.lt_s(i32x4.shr_s(sum, weightBits), i32x4.shr_s(middle, 1))) & 7)
      floor = floorAcross(first, at, 6);
    sum = inRange(sum, floor);
    store<u8>(to, sampleOf(i32x4.extract_lane(sum, 0)));
    store<u8>(to, sampleOf(i32x4.extract_lane(sum, 1)), 1);
    store<u8>(to, sampleOf(i32x4.extract_lane(sum, 2)), 2);
    starts += 4;
    to += 3;
  } while (to < end);
}

/** Interleaves two adjacent RGBA pixels by channel. */
function pairOfFour(pixels: v128): v128 {
  return i8x16.shuffle(pixels, pixels, 0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15);
}

/** Resamples premultiplied RGBA light to RGBA samples. If alpha rounds to 0, all four are 0. */
export function acrossFour(row: usize, starts: usize, weights: usize, groups: usize, to: usize, end: usize): void {
  const size = groups << 3;
  const half = groups << 4;
  do {
    let sum = i32x4.splat(fullWeight / 2);
    let more = i32x4.splat(0);
    const first = row + load<u32>(starts);
    let at = first;
    const last = weights + size;
    do {
      sum = i32x4.add(sum, i32x4.dot_i16x8_s(v128.load32_splat(weights), pairOfFour(v128.load(at))));
      more = i32x4.add(more, i32x4.dot_i16x8_s(v128.load32_splat(weights, 4), pairOfFour(v128.load(at, 16))));
      at += 32;
      weights += 8;
    } while (weights < last);
    sum = i32x4.add(sum, more);
    // As in blendRows: the floor applies only if the sum is below half of the centre pixel.
    let floor = i32x4.splat(0);
    const middle = v128.load16x4_s(first + half);
    if (v128.any_true(i32x4.lt_s(i32x4.shr_s(sum, weightBits), i32x4.shr_s(middle, 1))))
      floor = floorAcross(first, at, 8);
    sum = i32x4.max_s(sum, i32x4.shl(floor, weightBits));
    const alpha = (<u32>i32x4.extract_lane(inRange(sum, floor), 3) * 255 + fullLight / 2) / fullLight;
    if (alpha) {
      // Divide by alpha before its overshoot is clamped: near an edge the colours overshoot by the same factor.
      const exact = f32x4.convert_i32x4_s(sum);
      const scale = f32x4.splat(<f32>fullLight / f32x4.extract_lane(exact, 3));
      sum = i32x4.trunc_sat_f32x4_s(f32x4.add(f32x4.mul(exact, scale), f32x4.splat(0.5)));
      sum = i32x4.min_s(i32x4.max_s(sum, i32x4.splat(0)), i32x4.splat(fullLight));
      store<u8>(to, sampleOf(i32x4.extract_lane(sum, 0)));
      store<u8>(to, sampleOf(i32x4.extract_lane(sum, 1)), 1);
      store<u8>(to, sampleOf(i32x4.extract_lane(sum, 2)), 2);
      store<u8>(to, alpha, 3);
    } else store<u32>(to, 0);
    starts += 4;
    to += 4;
  } while (to < end);
}
