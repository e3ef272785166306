// The inner loops of formats/quantize-samples.ts, which documents the method. Addresses are bytes.

/** The share of an error that is diffused to neighbours not yet coded. Diffusing all of it would turn small errors into noise. */
const diffused: f64 = 0.7;
/**
 * A difference is rounded down until it exceeds the midpoint by this much, in steps: the remainder is diffused, and
 * accumulates. The steps of textured cells are twice as large.
 */
const reluctance: f64 = 0.2;
const texturedReluctance: f64 = 0.17;
/** Red and blue take green's difference if theirs is within this distance of it, in steps: equal bytes compress well. */
const following: f64 = 0.5 + 1.3;
const texturedFollowing: f64 = 0.5 + 1.1;

/** The classes of cells of 2 x 2 pixels, by their surroundings. */
const smooth: u32 = 0;
const plain: u32 = 1;
const textured: u32 = 2;

/** The luma of the pixel at `at`, 0 to 255. */
function brightness(at: usize, channels: usize): u32 {
  const first = <u32>load<u8>(at);
  return channels < 3 ? first : (first + 2 * <u32>load<u8>(at, 1) + <u32>load<u8>(at, 2)) >>> 2;
}

/** Writes to `to`, for each cell of two rows, the sum of luma and the sum of its squares, as two u32. */
export function measureCells(upper: usize, lower: usize, to: usize, width: usize, channels: usize): void {
  for (let x: usize = 0; x < width; x += 2, to += 8) {
    const left = x * channels;
    const right = x + 1 < width ? left + channels : left;
    const a = brightness(upper + left, channels);
    const b = brightness(upper + right, channels);
    const c = brightness(lower + left, channels);
    const d = brightness(lower + right, channels);
    store<u32>(to, a + b + c + d);
    store<u32>(to, a * a + b * b + c * c + d * d, 4);
  }
}

/**
 * Writes to `to` a u8 for each cell of the row `own`: the class of the 6 x 6 pixels around it. `above` and `below` are
 * the adjacent rows of cells. Variances are those of luma, times 36 squared.
 */
export function classifyCells(
  above: usize,
  own: usize,
  below: usize,
  to: usize,
  cells: usize,
  smoothBelow: u32,
  texturedFrom: u32,
): void {
  for (let cell: usize = 0; cell < cells; cell++) {
    let sum: u32 = 0;
    let squares: u32 = 0;
    for (let near: usize = 0; near < 3; near++) {
      // Edge cells count twice.
      const column = min(max(cell + near, 1), cells) - 1;
      const at = column << 3;
      sum += load<u32>(above + at) + load<u32>(own + at) + load<u32>(below + at);
      squares += load<u32>(above + at, 4) + load<u32>(own + at, 4) + load<u32>(below + at, 4);
    }
    const variance: u32 = 36 * squares - sum * sum;
    store<u8>(to + cell, variance < smoothBelow ? smooth : variance < texturedFrom ? plain : textured);
  }
}

function addError(at: usize, error: f64): void {
  store<f32>(at, <f32>(<f64>load<f32>(at) + error));
}

/** A number of steps, rounded to an integer: a step of 2.5 gives differences of 0, 3, 5 and 8, and their negatives. */
function differenceOf(steps: i32, size: f64): i32 {
  const value = <i32>Math.floor(<f64>abs(steps) * size + 0.5);
  return steps < 0 ? -value : value;
}

/**
 * Quantizes the row at `row` to `to`, given the quantized row at `above` (zeros before the first row). These and `cells`,
 * the classes of the cells that the row crosses, are u8; `above` and `to` are preceded by `channels` zeros. `errors` and
 * `nextErrors` are f32, with `channels` more before and after the row.
 */
export function quantizeRow(
  row: usize,
  above: usize,
  to: usize,
  errors: usize,
  nextErrors: usize,
  cells: usize,
  width: usize,
  channels: usize,
  step: f64,
  isAverage: bool,
): void {
  const alphaChannel: usize = channels === 2 || channels === 4 ? channels - 1 : 4;
  const pixelBytes = channels << 2;
  for (let x: usize = 0; x < width; x++) {
    const pixel = x * channels;
    const isUnseen = alphaChannel < 4 && load<u8>(row + pixel + alphaChannel) === 0;
    const kind = <u32>load<u8>(cells + (x >>> 1));
    const isTextured = kind === textured;
    const colourSize = isTextured ? step * 2 : kind === smooth ? step / 2 : step;
    const slow = isTextured ? texturedReluctance : reluctance;
    const reach = isTextured ? texturedFollowing : following;
    let lead: i32 = 0;
    for (let place: usize = 0; place < channels; place++) {
      // Green leads, because it carries most of the visible detail.
      const channel: usize = channels > 2 && place < 2 ? 1 - place : place;
      const at = pixel + channel;
      const left = <i32>load<u8>(to + at - channels);
      const predicted = isAverage ? (left + <i32>load<u8>(above + at)) >> 1 : left;
      const original = <i32>load<u8>(row + at);
      const isAlpha = channel === alphaChannel;
      if (isAlpha ? original === 0 || original === 255 : isUnseen) {
        store<u8>(to + at, isAlpha ? original : predicted);
        continue;
      }
      const size = isAlpha ? Math.max(1, Math.floor(step / 2)) : colourSize;
      const column = pixelBytes + (at << 2);
      const wanted = <f64>original + <f64>load<f32>(errors + column);
      const distance = (wanted - <f64>predicted) / size;
      let steps = <i32>Math.max(0, Math.floor(Math.abs(distance) + 0.5 - slow));
      if (distance < 0) steps = -steps;
      if (!isAlpha) {
        if (place === 0) lead = steps;
        else if (Math.abs(distance - <f64>lead) < reach) steps = lead;
      }
      let value = predicted + differenceOf(steps, size);
      while (value > 255) value = predicted + differenceOf(--steps, size);
      while (value < 0) value = predicted + differenceOf(++steps, size);
      store<u8>(to + at, value);
      const error = Math.max(-size, Math.min(size, (wanted - <f64>value) * diffused));
      addError(errors + column + pixelBytes, (error * 7) / 16);
      addError(nextErrors + column - pixelBytes, (error * 3) / 16);
      addError(nextErrors + column, (error * 5) / 16);
      addError(nextErrors + column + pixelBytes, error / 16);
    }
  }
}
