// From pixels to planes, for formats/jpeg/planes.ts: Y'CbCr of ITU-T T.871, chroma subsampling and upsampling, and activity.
//
// Addresses and lengths are bytes. Planes hold one f32 per sample; luma and chroma are centred at zero.

/** The weights of linear red, green and blue in lightness, as in SSIMULACRA 2. */
const redShare: f32 = 0.265;
const greenShare: f32 = 0.657;
const blueShare: f32 = 0.078;
/** The largest correction of luma. */
const largestCorrection: f32 = 40;
/** Luma is not corrected if the chroma error is less than this. */
const smallestLoss: f32 = 1;
/** A lower bound of the slope, so that Newton's steps stay finite. */
const leastSlope: f32 = 0.00008;

/** One channel of four pixels of three bytes each. */
function redOf(pixels: v128): v128 {
  const zero = i8x16.splat(0);
  return f32x4.convert_i32x4_u(i8x16.shuffle(pixels, zero, 0, 16, 16, 16, 3, 16, 16, 16, 6, 16, 16, 16, 9, 16, 16, 16));
}

function greenOf(pixels: v128): v128 {
  const zero = i8x16.splat(0);
  return f32x4.convert_i32x4_u(
    i8x16.shuffle(pixels, zero, 1, 16, 16, 16, 4, 16, 16, 16, 7, 16, 16, 16, 10, 16, 16, 16),
  );
}

function blueOf(pixels: v128): v128 {
  const zero = i8x16.splat(0);
  return f32x4.convert_i32x4_u(
    i8x16.shuffle(pixels, zero, 2, 16, 16, 16, 5, 16, 16, 16, 8, 16, 16, 16, 11, 16, 16, 16),
  );
}

function times(factor: f32, values: v128): v128 {
  return f32x4.mul(f32x4.splat(factor), values);
}

function sumOfThree(p: f32, a: v128, q: f32, b: v128, r: f32, c: v128): v128 {
  return f32x4.add(times(p, a), f32x4.add(times(q, b), times(r, c)));
}

/** The chroma of a row of three-byte pixels: Cb and Cr (ITU-T T.871), centred at zero. Four pixels at once. */
export function splitColours(from: usize, end: usize, blue: usize, red: usize): void {
  for (; from < end; from += 12) {
    const pixels = v128.load(from);
    const r = redOf(pixels);
    const g = greenOf(pixels);
    const b = blueOf(pixels);
    v128.store(blue, sumOfThree(-0.168735892, r, -0.331264108, g, 0.5, b));
    v128.store(red, sumOfThree(0.5, r, -0.418687589, g, -0.081312411, b));
    blue += 16;
    red += 16;
  }
}

/** The luma of a row of grey samples, centred at zero. */
export function splitGrey(from: usize, end: usize, luma: usize): void {
  for (; from < end; from++) {
    store<f32>(luma, <f32>load<u8>(from) - 128);
    luma += 4;
  }
}

/** A cubic approximation of the sRGB curve (IEC 61966-2-1), within 0.004: from a value of 0 to 255 to linear light of 0 to 1. */
const cubic: f32 = 0.305306011 / (255 * 255 * 255);
const square: f32 = 0.682171111 / (255 * 255);
const linear: f32 = 0.012522878 / 255;

function lightOf(value: v128): v128 {
  const steep = f32x4.add(times(cubic, value), f32x4.splat(square));
  return f32x4.mul(value, f32x4.add(f32x4.mul(value, steep), f32x4.splat(linear)));
}

/** The derivative of `lightOf`. */
function slopeOf(value: v128): v128 {
  const steep = f32x4.add(times(3 * cubic, value), f32x4.splat(2 * square));
  return f32x4.add(f32x4.mul(value, steep), f32x4.splat(linear));
}

/** Clamps as decoders do. */
function shown(value: v128): v128 {
  return f32x4.pmin(f32x4.splat(255), f32x4.pmax(f32x4.splat(0), value));
}

/**
 * The luma of a row, centred at zero, that restores each pixel's lightness given the chroma that a decoder
 * reconstructs: chroma errors would otherwise show as darker or lighter edges. Two steps of Newton's method in linear
 * light, both with the slope of the first, for four pixels at once.
 */
export function splitLuma(from: usize, end: usize, blue: usize, red: usize, luma: usize): void {
  for (; from < end; from += 12) {
    const pixels = v128.load(from);
    const r = redOf(pixels);
    const g = greenOf(pixels);
    const b = blueOf(pixels);
    const cb = v128.load(blue);
    const cr = v128.load(red);
    const own = sumOfThree(0.299, r, 0.587, g, 0.114, b);
    let y = own;
    const lost = f32x4.add(
      f32x4.abs(f32x4.sub(times(0.564, f32x4.sub(b, own)), cb)),
      f32x4.abs(f32x4.sub(times(0.713, f32x4.sub(r, own)), cr)),
    );
    const needsCorrection = f32x4.gt(lost, f32x4.splat(smallestLoss));
    if (v128.any_true(needsCorrection)) {
      const wanted = sumOfThree(redShare, lightOf(r), greenShare, lightOf(g), blueShare, lightOf(b));
      const toRed = times(1.402, cr);
      const toGreen = f32x4.add(times(-0.344136286, cb), times(-0.714136286, cr));
      const toBlue = times(1.772, cb);
      let r2 = shown(f32x4.add(own, toRed));
      let g2 = shown(f32x4.add(own, toGreen));
      let b2 = shown(f32x4.add(own, toBlue));
      let missing = f32x4.sub(
        wanted,
        sumOfThree(redShare, lightOf(r2), greenShare, lightOf(g2), blueShare, lightOf(b2)),
      );
      const slope = sumOfThree(redShare, slopeOf(r2), greenShare, slopeOf(g2), blueShare, slopeOf(b2));
      const flat = f32x4.div(f32x4.splat(1), f32x4.pmax(slope, f32x4.splat(leastSlope)));
      y = f32x4.add(own, f32x4.mul(missing, flat));
      r2 = shown(f32x4.add(y, toRed));
      g2 = shown(f32x4.add(y, toGreen));
      b2 = shown(f32x4.add(y, toBlue));
      missing = f32x4.sub(wanted, sumOfThree(redShare, lightOf(r2), greenShare, lightOf(g2), blueShare, lightOf(b2)));
      const moved = f32x4.sub(f32x4.add(y, f32x4.mul(missing, flat)), own);
      const clamped = f32x4.pmin(f32x4.splat(largestCorrection), f32x4.pmax(f32x4.splat(-largestCorrection), moved));
      y = f32x4.add(own, v128.and(clamped, needsCorrection));
    }
    v128.store(luma, f32x4.sub(y, f32x4.splat(128)));
    luma += 16;
    blue += 16;
    red += 16;
  }
}

/** Upsamples a row of chroma as decoders do ("fancy" upsampling of libjpeg): 3/4 of the nearer row and sample, 1/4 of the next. */
export function upsampleRow(near: usize, far: usize, end: usize, to: usize): void {
  let before: f32 = 0.75 * load<f32>(near) + 0.25 * load<f32>(far);
  let here = before;
  for (; near < end; near += 4) {
    const next: f32 = near + 4 < end ? 0.75 * load<f32>(near, 4) + 0.25 * load<f32>(far, 4) : here;
    store<f32>(to, 0.75 * here + 0.25 * before);
    store<f32>(to, 0.75 * here + 0.25 * next, 4);
    before = here;
    here = next;
    far += 4;
    to += 8;
  }
}

/** Repeats a row's last sample up to `end`. */
export function extendRow(from: usize, end: usize): void {
  const last = load<f32>(from - 4);
  for (; from < end; from += 4) store<f32>(from, last);
}

/** The means of two by two samples. */
export function downsampleRows(upper: usize, lower: usize, end: usize, to: usize): void {
  for (; upper < end; upper += 32) {
    const a = f32x4.add(v128.load(upper), v128.load(lower));
    const b = f32x4.add(v128.load(upper, 16), v128.load(lower, 16));
    const even = v128.shuffle<f32>(a, b, 0, 2, 4, 6);
    const odd = v128.shuffle<f32>(a, b, 1, 3, 5, 7);
    v128.store(to, f32x4.mul(f32x4.add(even, odd), f32x4.splat(0.25)));
    lower += 32;
    to += 16;
  }
}

/** The activity of each 8 x 8 block: the geometric mean of its quarters' variances, with `floor` added to each. */
export function measureActivity(plane: usize, stride: usize, end: usize, floor: f32, to: usize): void {
  for (; plane < end; plane += 32) {
    let product: f32 = 1;
    for (let quarter: usize = 0; quarter < 4; quarter++)
      product *= variance(plane + ((quarter & 1) << 4) + (quarter >> 1) * 4 * stride, stride) + floor;
    store<f32>(to, sqrt<f32>(sqrt<f32>(product)));
    to += 4;
  }
}

function variance(plane: usize, stride: usize): f32 {
  let sum = f32x4.splat(0);
  let squares = f32x4.splat(0);
  for (let y = 0; y < 4; y++) {
    const row = v128.load(plane);
    sum = f32x4.add(sum, row);
    squares = f32x4.add(squares, f32x4.mul(row, row));
    plane += stride;
  }
  // Neighbours, then pairs.
  sum = f32x4.add(sum, v128.shuffle<f32>(sum, sum, 1, 0, 3, 2));
  squares = f32x4.add(squares, v128.shuffle<f32>(squares, squares, 1, 0, 3, 2));
  const total = f32x4.extract_lane(sum, 0) + f32x4.extract_lane(sum, 2);
  const totalSquares = f32x4.extract_lane(squares, 0) + f32x4.extract_lane(squares, 2);
  return max<f32>(0, totalSquares * 0.0625 - total * total * 0.00390625);
}
