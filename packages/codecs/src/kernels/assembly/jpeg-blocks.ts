// From planes to quantized coefficients, for formats/jpeg/quantize-picture.ts: the DCT (ITU-T T.81, A.3.3), and trellis
// quantization, which chooses values by rate and distortion.
//
// All addresses and lengths are bytes. Planes hold a f32 for each sample.
import * as at from "../layout/jpeg-blocks";

const C1: f32 = 0.4903926402016152;
const C2: f32 = 0.46193976625564337;
const C3: f32 = 0.4157348061512726;
const C4: f32 = 0.35355339059327373;
const C5: f32 = 0.27778511650980114;
const C6: f32 = 0.1913417161825449;
const C7: f32 = 0.09754516100806417;

/** The DCT of eight rows, four columns at once. */
function transformColumns(from: usize, stride: usize, to: usize): void {
  const r0 = v128.load(from);
  const r1 = v128.load(from + stride);
  const r2 = v128.load(from + 2 * stride);
  const r3 = v128.load(from + 3 * stride);
  const r4 = v128.load(from + 4 * stride);
  const r5 = v128.load(from + 5 * stride);
  const r6 = v128.load(from + 6 * stride);
  const r7 = v128.load(from + 7 * stride);
  const a = f32x4.add(r0, r7);
  const b = f32x4.add(r1, r6);
  const c = f32x4.add(r2, r5);
  const d = f32x4.add(r3, r4);
  const e = f32x4.sub(r0, r7);
  const g = f32x4.sub(r1, r6);
  const h = f32x4.sub(r2, r5);
  const i = f32x4.sub(r3, r4);
  const ad = f32x4.add(a, d);
  const bc = f32x4.add(b, c);
  const a_d = f32x4.sub(a, d);
  const b_c = f32x4.sub(b, c);
  v128.store(to, f32x4.mul(f32x4.splat(C4), f32x4.add(ad, bc)));
  v128.store(to, f32x4.mul(f32x4.splat(C4), f32x4.sub(ad, bc)), 128);
  v128.store(to, f32x4.add(f32x4.mul(f32x4.splat(C2), a_d), f32x4.mul(f32x4.splat(C6), b_c)), 64);
  v128.store(to, f32x4.sub(f32x4.mul(f32x4.splat(C6), a_d), f32x4.mul(f32x4.splat(C2), b_c)), 192);
  v128.store(to, sumOfFour(C1, e, C3, g, C5, h, C7, i), 32);
  v128.store(to, sumOfFour(C3, e, -C7, g, -C1, h, -C5, i), 96);
  v128.store(to, sumOfFour(C5, e, -C1, g, C7, h, C3, i), 160);
  v128.store(to, sumOfFour(C7, e, -C5, g, C3, h, -C1, i), 224);
}

function sumOfFour(p: f32, a: v128, q: f32, b: v128, r: f32, c: v128, s: f32, d: v128): v128 {
  return f32x4.add(
    f32x4.add(f32x4.mul(f32x4.splat(p), a), f32x4.mul(f32x4.splat(q), b)),
    f32x4.add(f32x4.mul(f32x4.splat(r), c), f32x4.mul(f32x4.splat(s), d)),
  );
}

/** Transposes four rows of four. */
function transposeQuarter(from: usize, to: usize): void {
  const a = v128.load(from);
  const b = v128.load(from, 32);
  const c = v128.load(from, 64);
  const d = v128.load(from, 96);
  const ab = v128.shuffle<f32>(a, b, 0, 4, 1, 5);
  const cd = v128.shuffle<f32>(c, d, 0, 4, 1, 5);
  const ba = v128.shuffle<f32>(a, b, 2, 6, 3, 7);
  const dc = v128.shuffle<f32>(c, d, 2, 6, 3, 7);
  v128.store(to, v128.shuffle<f32>(ab, cd, 0, 1, 4, 5));
  v128.store(to, v128.shuffle<f32>(ab, cd, 2, 3, 6, 7), 32);
  v128.store(to, v128.shuffle<f32>(ba, dc, 0, 1, 4, 5), 64);
  v128.store(to, v128.shuffle<f32>(ba, dc, 2, 3, 6, 7), 96);
}

function transpose(from: usize, to: usize): void {
  transposeQuarter(from, to);
  transposeQuarter(from + 16, to + 128);
  transposeQuarter(from + 128, to + 16);
  transposeQuarter(from + 144, to + 144);
}

/** The DCT of a block of samples to `at.block`, transposed: the last transpose is omitted. */
function transformBlock(plane: usize, stride: usize): void {
  transformColumns(plane, stride, at.block);
  transformColumns(plane + 16, stride, at.block + 16);
  transpose(at.block, at.transposed);
  transformColumns(at.transposed, 32, at.block);
  transformColumns(at.transposed + 16, 32, at.block + 16);
}

/** The inverse DCT of four columns. */
function restoreColumns(from: usize, to: usize, stride: usize): void {
  const x0 = f32x4.mul(f32x4.splat(C4), v128.load(from));
  const x4 = f32x4.mul(f32x4.splat(C4), v128.load(from, 128));
  const x2 = v128.load(from, 64);
  const x6 = v128.load(from, 192);
  const x1 = v128.load(from, 32);
  const x3 = v128.load(from, 96);
  const x5 = v128.load(from, 160);
  const x7 = v128.load(from, 224);
  const p = f32x4.add(x0, x4);
  const m = f32x4.sub(x0, x4);
  const q = f32x4.add(f32x4.mul(f32x4.splat(C2), x2), f32x4.mul(f32x4.splat(C6), x6));
  const n = f32x4.sub(f32x4.mul(f32x4.splat(C6), x2), f32x4.mul(f32x4.splat(C2), x6));
  const a = f32x4.add(p, q);
  const d = f32x4.sub(p, q);
  const b = f32x4.add(m, n);
  const c = f32x4.sub(m, n);
  const e = sumOfFour(C1, x1, C3, x3, C5, x5, C7, x7);
  const g = sumOfFour(C3, x1, -C7, x3, -C1, x5, -C5, x7);
  const h = sumOfFour(C5, x1, -C1, x3, C7, x5, C3, x7);
  const i = sumOfFour(C7, x1, -C5, x3, C3, x5, -C1, x7);
  v128.store(to, f32x4.add(a, e));
  v128.store(to + stride, f32x4.add(b, g));
  v128.store(to + 2 * stride, f32x4.add(c, h));
  v128.store(to + 3 * stride, f32x4.add(d, i));
  v128.store(to + 4 * stride, f32x4.sub(d, i));
  v128.store(to + 5 * stride, f32x4.sub(c, h));
  v128.store(to + 6 * stride, f32x4.sub(b, g));
  v128.store(to + 7 * stride, f32x4.sub(a, e));
}

/** Dequantizes the last block and restores its samples. */
function restoreBlock(table: usize, plane: usize, stride: usize): void {
  for (let i: usize = 0; i < 256; i += 16)
    v128.store(i, f32x4.mul(v128.load(i, at.block), v128.load(table + i, at.steps)), at.block);
  restoreColumns(at.block, at.transposed, 32);
  restoreColumns(at.block + 16, at.transposed + 16, 32);
  transpose(at.transposed, at.block);
  restoreColumns(at.block, plane, stride);
  restoreColumns(at.block + 16, plane + 16, stride);
}

/** The magnitude category (SSSS of ITU-T T.81, F.1.2.1) of an absolute value. */
function sizeOf(value: u32): u32 {
  return 32 - clz(value);
}

/**
 * Quantizes a row of blocks. For each it writes a word, the number of nonzero AC coefficients << 16 | DC, and a word for each
 * of these coefficients: zigzag index << 16 | value. If `restored` is not 0, it gets the samples that a decoder restores.
 * @returns the address after the last word
 */
export function quantizeRow(
  plane: usize,
  stride: usize,
  blocks: u32,
  table: usize,
  activity: usize,
  restored: usize,
  to: usize,
): usize {
  for (let i: u32 = 0; i < blocks; i++) {
    transformBlock(plane, stride);
    const next =
      i + 1 < blocks ? <i32>nearest<f32>(dcOf(plane + 32, stride) * load<f32>(table, at.inverseSteps)) : noDc;
    to = quantizeBlock(table, load<f32>(activity), next, to, restored !== 0);
    if (restored) {
      restoreBlock(table, restored, stride);
      restored += 32;
    }
    plane += 32;
    activity += 4;
  }
  return to;
}

/** The DC coefficient of a block. */
function dcOf(plane: usize, stride: usize): f32 {
  let sums = f32x4.splat(0);
  for (let row = 0; row < 8; row++) {
    sums = f32x4.add(sums, f32x4.add(v128.load(plane), v128.load(plane, 16)));
    plane += stride;
  }
  const pairs = f32x4.add(sums, v128.shuffle<f32>(sums, sums, 1, 0, 3, 2));
  return (f32x4.extract_lane(pairs, 0) + f32x4.extract_lane(pairs, 2)) / 8;
}

function dcRate(table: usize, difference: i32): f32 {
  return load<f32>(table + (sizeOf(abs<i32>(difference)) << 2), at.dcRates);
}

/** Stands for the DC of the next block at the end of a row. */
const noDc: i32 = i32.MIN_VALUE;

/** A DC this close to a whole number of steps is rounded to it: recompressing a picture does not change it again. */
const snapDistance: f32 = 0.2;

/**
 * Rounds the DC, in steps, up or down, whichever costs less in error and bits. The bits of the `next` block's DC
 * difference are included.
 */
function chooseDc(table: usize, dc: f32, next: i32, lambda: f32): i32 {
  const middle = <i32>nearest<f32>(dc);
  const missing = dc - <f32>middle;
  if (abs<f32>(missing) < snapDistance) return middle;
  const other = missing > 0 ? middle + 1 : middle - 1;
  const otherError: f32 = 1 - abs<f32>(missing);
  const addedError = load<f32>(table, at.weights) * (otherError * otherError - missing * missing);
  return lambda * (dcBits(table, middle, next) - dcBits(table, other, next)) > addedError ? other : middle;
}

/** The bits of a DC difference, and of the next block's. */
function dcBits(table: usize, value: i32, next: i32): f32 {
  const bits = dcRate(table, value - load<i32>(table + at.previousDc));
  return next === noDc ? bits : bits + dcRate(table, next - value);
}

function quantizeBlock(table: usize, activity: f32, next: i32, to: usize, isRestored: boolean): usize {
  for (let i: usize = 0; i < 256; i += 16)
    v128.store(i, f32x4.mul(v128.load(i, at.block), v128.load(table + i, at.inverseSteps)), at.block);
  const lambda = load<f32>(table + at.lambda) * activity;
  const deadZone = load<f32>(table + at.deadZone);

  const value = chooseDc(table, load<f32>(at.block), next, lambda);
  const difference = value - load<i32>(table + at.previousDc);
  store<i32>(table + at.previousDc, value);
  count(table + at.dcCounts, sizeOf(abs<i32>(difference)));

  // Forward: the least cost of each coefficient as the last nonzero one so far.
  store<u8>(at.candidates, 0);
  store<f32>(at.leastCost, 0);
  store<f32>(at.zeroingCost, 0);
  store<f32>(at.lowestGain, 0);
  let lowest: f32 = 0;
  let used: usize = 1;
  let zeroed: f32 = 0;
  const rates = table + at.acRates;
  for (let i: usize = 1; i < 64; i++) {
    const size = abs<f32>(load<f32>((<usize>load<u8>(i, at.places)) << 2, at.block));
    const weight = load<f32>(table + (i << 2), at.weights);
    const zeroedBefore = zeroed;
    zeroed += weight * size * size;
    store<f32>(i << 2, zeroed, at.zeroingCost);
    if (size < deadZone) continue;
    const upper = <u32>(size + 0.5) > 0 ? <u32>(size + 0.5) : 1;
    let best: f32 = Infinity;
    let bestValue: u32 = 0;
    let bestBefore: u32 = 0;
    // The nearest magnitude, and the one below it if that is in a lower category.
    const trials: u32 = upper > 1 && (upper & (upper - 1)) === 0 ? 2 : 1;
    for (let v = upper; v > upper - trials; v--) {
      const error = size - <f32>v;
      const own = weight * error * error + zeroedBefore;
      const bits = sizeOf(v);
      const lowerBound = own + lambda * <f32>(bits + 1);
      for (let j = used; j > 0; j--) {
        const last = <usize>load<u8>(j, at.candidates - 1);
        // A code takes at least one bit: no earlier predecessor can be cheaper.
        if (load<f32>(last << 2, at.lowestGain) + lowerBound >= best) break;
        let run = i - last - 1;
        let rate: f32 = 0;
        if (run > 15) {
          rate = <f32>(run >> 4) * load<f32>(rates + at.zrl * 4);
          run &= 15;
        }
        rate += load<f32>(rates + (((run << 4) | bits) << 2));
        const cost = load<f32>(last << 2, at.leastCost) - load<f32>(last << 2, at.zeroingCost) + own + lambda * rate;
        if (cost < best) {
          best = cost;
          bestValue = v;
          bestBefore = <u32>last;
        }
      }
    }
    store<f32>(i << 2, best, at.leastCost);
    lowest = min<f32>(lowest, best - zeroed);
    store<f32>(i << 2, lowest, at.lowestGain);
    store<u32>(i << 2, bestValue, at.chosen);
    store<u8>(i, <u8>bestBefore, at.predecessor);
    store<u8>(used++, <u8>i, at.candidates);
  }

  // The cheapest place for EOB.
  let best: f32 = Infinity;
  let last: usize = 0;
  for (let j: usize = 0; j < used; j++) {
    const i = <usize>load<u8>(j, at.candidates);
    const end = i === 63 ? <f32>0 : lambda * load<f32>(rates + at.eob * 4);
    const cost = load<f32>(i << 2, at.leastCost) + zeroed - load<f32>(i << 2, at.zeroingCost) + end;
    if (cost < best) {
      best = cost;
      last = i;
    }
  }

  // Backtrack; `candidates` gets the path.
  let values: usize = 0;
  for (let i = last; i > 0; i = load<u8>(i, at.predecessor)) store<u8>(values++, <u8>i, at.candidates);
  store<u32>(to, ((<u32>values) << 16) | (value & 0xffff));
  const start = to;
  to += 4;
  let previous: usize = 0;
  for (let j = values; j > 0; j--) {
    const i = <usize>load<u8>(j, at.candidates - 1);
    const place = (<usize>load<u8>(i, at.places)) << 2;
    const size = load<u32>(i << 2, at.chosen);
    let run = i - previous - 1;
    for (; run > 15; run -= 16) count(table + at.acCounts, at.zrl);
    count(table + at.acCounts, <u32>(run << 4) | sizeOf(size));
    previous = i;
    const signed = load<f32>(place, at.block) < 0 ? -(<i32>size) : <i32>size;
    store<u32>(to, ((<u32>i) << 16) | (signed & 0xffff));
    to += 4;
  }
  if (last !== 63) count(table + at.acCounts, at.eob);

  if (isRestored) {
    memory.fill(at.block, 0, 256);
    store<f32>(at.block, <f32>value);
    for (let word = start + 4; word < to; word += 4) {
      const token = load<u32>(word);
      store<f32>((<usize>load<u8>(token >>> 16, at.places)) << 2, <f32>(<i32>(token << 16) >> 16), at.block);
    }
  }
  return to;
}

function count(counts: usize, symbol: u32): void {
  const place = counts + (symbol << 2);
  store<u32>(place, load<u32>(place) + 1);
}
