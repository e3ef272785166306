// From pixels to planes, for formats/jpeg/planes.ts: JFIF's colours, colour at half size and back, and how lively blocks are.
//
// All addresses and lengths are bytes. Planes hold a f32 for each sample, luma and colours around zero.
import * as at from "../layout/jpeg-planes";

/** The shares of red, green and blue light in lightness, as SSIMULACRA 2 sees it. */
const redShare: f32 = 0.265;
const greenShare: f32 = 0.657;
const blueShare: f32 = 0.078;
/** Luma is not moved further than this. */
const mostCare: f32 = 40;
/** Colours that come so near need no care. */
const leastCare: f32 = 1;

/** The colour of a row's pixels, three bytes each: Cb and Cr of ITU-T T.871, around zero. */
export function splitColours(from: usize, end: usize, blue: usize, red: usize): void {
  for (; from < end; from += 3) {
    const r = <f32>load<u8>(from);
    const g = <f32>load<u8>(from, 1);
    const b = <f32>load<u8>(from, 2);
    store<f32>(blue, 0.5 * b - 0.168735892 * r - 0.331264108 * g);
    store<f32>(red, 0.5 * r - 0.418687589 * g - 0.081312411 * b);
    blue += 4;
    red += 4;
  }
}

/** A row of grey samples, around zero. */
export function splitGrey(from: usize, end: usize, luma: usize): void {
  for (; from < end; from++) {
    store<f32>(luma, <f32>load<u8>(from) - 128);
    luma += 4;
  }
}

/** The place of the light of a sample's value. */
function placeOf(value: f32): usize {
  return <usize>((<i32>(value * <f32>at.lightSteps + <f32>(at.lightSteps * at.lowestLight + 0.5))) << 3);
}

/**
 * The luma of a row's pixels, around zero, that gives them their own lightness beside the colours that a decoder will see:
 * what is lost in colour would otherwise be seen as darker or lighter edges. Two steps of Newton's method in linear light.
 */
export function splitLuma(from: usize, end: usize, blue: usize, red: usize, luma: usize): void {
  for (; from < end; from += 3) {
    const r = <f32>load<u8>(from);
    const g = <f32>load<u8>(from, 1);
    const b = <f32>load<u8>(from, 2);
    const cb = load<f32>(blue);
    const cr = load<f32>(red);
    const own: f32 = 0.299 * r + 0.587 * g + 0.114 * b;
    let y: f32 = own;
    const lost = abs<f32>(0.564 * (b - own) - cb) + abs<f32>(0.713 * (r - own) - cr);
    if (lost > leastCare) {
      const wanted: f32 =
        redShare * load<f32>(placeOf(r), at.lights) +
        greenShare * load<f32>(placeOf(g), at.lights) +
        blueShare * load<f32>(placeOf(b), at.lights);
      const toRed: f32 = 1.402 * cr;
      const toGreen: f32 = -0.344136286 * cb - 0.714136286 * cr;
      const toBlue: f32 = 1.772 * cb;
      for (let step = 0; step < 2; step++) {
        const red = placeOf(y + toRed);
        const green = placeOf(y + toGreen);
        const blue = placeOf(y + toBlue);
        const seen: f32 =
          redShare * load<f32>(red, at.lights) +
          greenShare * load<f32>(green, at.lights) +
          blueShare * load<f32>(blue, at.lights);
        const slope: f32 =
          redShare * load<f32>(red, at.slopes) +
          greenShare * load<f32>(green, at.slopes) +
          blueShare * load<f32>(blue, at.slopes);
        y = max<f32>(own - mostCare, min<f32>(own + mostCare, y + (wanted - seen) / slope));
      }
    }
    store<f32>(luma, y - 128);
    luma += 4;
    blue += 4;
    red += 4;
  }
}

/** A row of colour at half size back to full size, as decoders do: three parts of the nearer row and sample, one of the next. */
export function raiseRow(near: usize, far: usize, end: usize, to: usize): void {
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
export function halveRows(upper: usize, lower: usize, end: usize, to: usize): void {
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

/** How lively each block of eight by eight is: the geometric mean of its quarters' variances, with `floor` added to each. */
export function measureRow(plane: usize, stride: usize, end: usize, floor: f32, to: usize): void {
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
