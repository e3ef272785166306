// The inner loop of formats/quantize-samples.ts, which says what it does and why. Addresses are bytes.

/** Share of an error that is handed on to neighbours not yet coded. All of it would make noise out of small errors. */
const handedOn: f64 = 0.7;
/** A difference counts as zero until it exceeds half a step by this much: the rest is diffused, and adds up. */
const reluctance: f64 = 0.2;
/** Red and blue follow green's difference as long as they are off by less than this, in steps: equal bytes pack well. */
const following: f64 = 0.5 + 1.3;

function addError(at: usize, error: f64): void {
  store<f32>(at, <f32>(<f64>load<f32>(at) + error));
}

/** So many steps as a whole number: a step of 2.5 gives differences of 0, 3, 5 and 8, and their opposites. */
function differenceOf(steps: i32, size: f64): i32 {
  const value = <i32>Math.floor(<f64>abs(steps) * size + 0.5);
  return steps < 0 ? -value : value;
}

/**
 * Quantises the row at `row` to `to`, by the quantised row at `above`, zeros before the first. The four are u8, and have
 * `channels` zeros before them. `errors` and `nextErrors` are f32, and have `channels` more before and after the row's.
 */
export function quantizeRow(
  row: usize,
  above: usize,
  to: usize,
  errors: usize,
  nextErrors: usize,
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
      const size = isAlpha ? Math.max(1, Math.floor(step / 2)) : step;
      const column = pixelBytes + (at << 2);
      const wanted = <f64>original + <f64>load<f32>(errors + column);
      const distance = (wanted - <f64>predicted) / size;
      let steps = <i32>Math.max(0, Math.floor(Math.abs(distance) + 0.5 - reluctance));
      if (distance < 0) steps = -steps;
      if (!isAlpha) {
        if (place === 0) lead = steps;
        else if (Math.abs(distance - <f64>lead) < following) steps = lead;
      }
      let value = predicted + differenceOf(steps, size);
      while (value > 255) value = predicted + differenceOf(--steps, size);
      while (value < 0) value = predicted + differenceOf(++steps, size);
      store<u8>(to + at, value);
      const error = Math.max(-size, Math.min(size, (wanted - <f64>value) * handedOn));
      addError(errors + column + pixelBytes, (error * 7) / 16);
      addError(nextErrors + column - pixelBytes, (error * 3) / 16);
      addError(nextErrors + column, (error * 5) / 16);
      addError(nextErrors + column + pixelBytes, error / 16);
    }
  }
}
