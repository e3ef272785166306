// The inner loop of formats/palette/dither.ts. Addresses are bytes. A place is four f32: luma, two chroma values,
// alpha.

/** Index bits of a hash table of colours. An entry: the colour (u32), then its palette index + 1 (u32), or 0. */
const knownBits = 10;

/**
 * Finds the nearest palette entry of each pixel of a row and diffuses the errors. `pixels` are RGBA; `errors` and
 * `nextErrors` are rows of places with one more at each end. The palette at `places` has `count` entries sorted by
 * luma, and `order` the palette index (u8) of each. `known` caches the indices of colours that receive no error and
 * leave none.
 */
export function ditherRow(
  pixels: usize,
  width: i32,
  ahead: i32,
  places: usize,
  order: usize,
  count: i32,
  errors: usize,
  nextErrors: usize,
  known: usize,
  indices: usize,
  colourWeight: f64,
  strength: f32,
  most: f32,
  least: f32,
): void {
  const front: isize = (<isize>ahead) << 4;
  const share = f32x4.splat(strength);
  const upper = f32x4.splat(most);
  const lower = f32x4.splat(-most);
  const dropped = f32x4.splat(least);
  let x: i32 = ahead > 0 ? 0 : width - 1;
  let column: usize = (<usize>(x + 1)) << 4;
  for (let n: i32 = 0; n < width; n++, x += ahead, column += front) {
    const colour = load<u32>(pixels + ((<usize>x) << 2));
    const come = v128.load(errors + column);
    const hasError = v128.any_true(f32x4.ne(come, f32x4.splat(0)));
    const slot = known + ((<usize>((colour * 0x9e3779b1) >>> (32 - knownBits))) << 3);
    if (!hasError && load<u32>(slot) === colour) {
      const index = load<u32>(slot, 4);
      if (index !== 0) {
        store<u8>(indices + x, <u8>(index - 1));
        continue;
      }
    }
    const red = <f64>(colour & 0xff);
    const green = <f64>((colour >> 8) & 0xff);
    const blue = <f64>((colour >> 16) & 0xff);
    const alpha = <f64>(colour >>> 24);
    const opacity = alpha / 255;
    const light = 0.299 * red + 0.587 * green + 0.114 * blue;
    let place = f32x4.splat(<f32>(light * opacity));
    place = f32x4.replace_lane(place, 1, <f32>((blue - light) * 0.564 * colourWeight * opacity));
    place = f32x4.replace_lane(place, 2, <f32>((red - light) * 0.713 * colourWeight * opacity));
    place = f32x4.replace_lane(place, 3, <f32>alpha);
    place = f32x4.add(place, come);
    const found = nearest(place, places, count);
    const entry = load<u8>(order + found);
    store<u8>(indices + x, entry);
    let error = f32x4.mul(f32x4.sub(place, v128.load(places + ((<usize>found) << 4))), share);
    error = f32x4.max(lower, f32x4.min(upper, error));
    error = v128.and(error, f32x4.ge(f32x4.abs(error), dropped));
    if (!v128.any_true(error)) {
      if (!hasError) {
        store<u32>(slot, colour);
        store<u32>(slot, <u32>entry + 1, 4);
      }
      continue;
    }
    add(errors + column + front, error, 7 / 16);
    add(nextErrors + column - front, error, 3 / 16);
    add(nextErrors + column, error, 5 / 16);
    add(nextErrors + column + front, error, 1 / 16);
  }
}

function add(at: usize, error: v128, share: f32): void {
  v128.store(at, f32x4.add(v128.load(at), f32x4.mul(error, f32x4.splat(share))));
}

/** Starts at the wanted luma, and ends once the luma difference alone exceeds the best distance. */
function nearest(place: v128, places: usize, count: i32): i32 {
  const light = f32x4.extract_lane(place, 0);
  let low: i32 = 0;
  let high: i32 = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<f32>(places + ((<usize>middle) << 4)) < light) low = middle + 1;
    else high = middle;
  }
  let best: i32 = 0;
  let bestDistance: f32 = Infinity;
  let up = low;
  let down = low - 1;
  while (true) {
    const above: f32 = up < count ? squared(load<f32>(places + ((<usize>up) << 4)) - light) : Infinity;
    const below: f32 = down >= 0 ? squared(load<f32>(places + ((<usize>down) << 4)) - light) : Infinity;
    const isAbove = above < below;
    if ((isAbove ? above : below) >= bestDistance) break;
    const at = isAbove ? up++ : down--;
    const off = f32x4.sub(v128.load(places + ((<usize>at) << 4)), place);
    const squares = f32x4.mul(off, off);
    const distance =
      f32x4.extract_lane(squares, 0) +
      f32x4.extract_lane(squares, 1) +
      f32x4.extract_lane(squares, 2) +
      f32x4.extract_lane(squares, 3);
    if (distance < bestDistance) {
      bestDistance = distance;
      best = at;
    }
  }
  return best;
}

function squared(value: f32): f32 {
  return value * value;
}
