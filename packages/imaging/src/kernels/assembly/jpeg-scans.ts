// Scans of a progressive JPEG (ITU-T T.81, annex G), for formats/jpeg/scans.ts: counts the symbols of a scan, or writes it.
//
// Blocks are words as jpeg-blocks.ts writes them: the number of values << 16 | the mean; then for each value its place in
// zigzag order << 16 | the value. All addresses are bytes.
import * as at from "../layout/jpeg-scans";

/** The place of the next byte; 0 counts symbols and writes nothing. */
let out: usize = 0;

function sizeOf(value: u32): u32 {
  return 32 - clz(value);
}

function put(bits: u32, length: u32): void {
  if (length === 0) return;
  if (out === 0) {
    store<u64>(at.extraBits, load<u64>(at.extraBits) + length);
    return;
  }
  const pending = (load<u64>(at.pendingBits) << length) | (bits & ((1 << length) - 1));
  let count = load<u32>(at.pendingCount) + length;
  while (count >= 8) {
    count -= 8;
    const byte = <u8>(pending >> count);
    store<u8>(out++, byte);
    if (byte === 255) store<u8>(out++, 0);
  }
  store<u64>(at.pendingBits, pending & ((1 << count) - 1));
  store<u32>(at.pendingCount, count);
}

function symbol(value: u32): void {
  const place = value << 2;
  if (out === 0) {
    store<u32>(place, load<u32>(place, at.counts) + 1, at.counts);
    return;
  }
  const code = load<u32>(place, at.codes);
  put(code >>> 8, code & 255);
}

/** The means of blocks, each as its difference from the one before, in steps of 2 ** low. */
export function means(from: usize, end: usize, low: u32, to: usize): usize {
  out = to;
  while (from < end) {
    const head = load<u32>(from);
    const value = (<i32>(head << 16) >> 16) >> low;
    const difference = value - load<i32>(at.mean);
    store<i32>(at.mean, value);
    const size = sizeOf(abs<i32>(difference));
    symbol(size);
    put(<u32>(difference < 0 ? difference - 1 : difference), size);
    from += 4 + ((head >>> 16) << 2);
  }
  return out;
}

/** Blocks whose rest is zero are counted, and go as one symbol. */
function putEnds(): void {
  const run = load<u32>(at.endRun);
  if (run > 0) {
    const size = sizeOf(run) - 1;
    symbol(size << 4);
    put(run, size);
    store<u32>(at.endRun, 0);
    putCorrections(0, load<u32>(at.endCorrections));
    store<u32>(at.endCorrections, 0);
  }
}

function putCorrections(from: u32, count: u32): void {
  if (out === 0) {
    store<u64>(at.extraBits, load<u64>(at.extraBits) + count);
    return;
  }
  const end = from + count;
  while (from < end) {
    const length = min<u32>(16, end - from);
    let bits: u32 = 0;
    for (let i: u32 = 0; i < length; i++) bits = (bits << 1) | load<u8>(from + i, at.corrections);
    put(bits, length);
    from += length;
  }
}

/** The first bits of values between two places in zigzag order, both included, without their lowest `low` bits. */
export function firstBits(from: usize, end: usize, first: u32, final: u32, low: u32, to: usize): usize {
  out = to;
  while (from < end) {
    const next = from + 4 + ((load<u32>(from) >>> 16) << 2);
    let run = first - 1;
    for (let word = from + 4; word < next; word += 4) {
      const token = load<u32>(word);
      const place = token >>> 16;
      if (place < first) continue;
      if (place > final) break;
      const value = <i32>(token << 16) >> 16;
      const size = abs<i32>(value) >> low;
      if (size === 0) continue;
      putEnds();
      let zeros = place - run - 1;
      for (; zeros > 15; zeros -= 16) symbol(240);
      const bits = sizeOf(size);
      symbol((zeros << 4) | bits);
      put(<u32>(value < 0 ? ~size : size), bits);
      run = place;
    }
    if (run < final) {
      const ends = load<u32>(at.endRun) + 1;
      store<u32>(at.endRun, ends);
      if (ends === at.longestEndRun) putEnds();
    }
    from = next;
  }
  return out;
}

/** The next lower bit of values between two places, `low`: of those that were zero so far, and of those that were not. */
export function nextBit(from: usize, end: usize, first: u32, final: u32, low: u32, to: usize): usize {
  out = to;
  while (from < end) {
    const next = from + 4 + ((load<u32>(from) >>> 16) << 2);
    // The last place whose first bit is this one: behind it the block has only corrections.
    let lastNew: u32 = 0;
    for (let word = from + 4; word < next; word += 4) {
      const token = load<u32>(word);
      const place = token >>> 16;
      if (place < first) continue;
      if (place > final) break;
      if (abs<i32>(<i32>(token << 16) >> 16) >> low === 1) lastNew = place;
    }
    let zeros: u32 = 0;
    let expected = first;
    // Corrections of this block stand behind those of the blocks that ended.
    let base = load<u32>(at.endCorrections);
    let held: u32 = 0;
    let isOpen = false;
    for (let word = from + 4; word < next; word += 4) {
      const token = load<u32>(word);
      const place = token >>> 16;
      if (place < first) continue;
      if (place > final) break;
      const value = <i32>(token << 16) >> 16;
      const size = <u32>abs<i32>(value) >> low;
      if (size === 0) continue;
      zeros += place - expected;
      expected = place + 1;
      while (zeros > 15 && place <= lastNew) {
        putEnds();
        symbol(240);
        zeros -= 16;
        putCorrections(base, held);
        base = 0;
        held = 0;
      }
      if (size > 1) {
        store<u8>(base + held++, <u8>(size & 1), at.corrections);
        continue;
      }
      putEnds();
      symbol((zeros << 4) | 1);
      put(value < 0 ? 0 : 1, 1);
      putCorrections(base, held);
      base = 0;
      held = 0;
      zeros = 0;
    }
    isOpen = expected <= final;
    if (isOpen || held > 0) {
      // base is where the ended blocks' corrections stop, or 0 where these have been written.
      store<u32>(at.endRun, load<u32>(at.endRun) + 1);
      store<u32>(at.endCorrections, base + held);
      if (load<u32>(at.endRun) === at.longestEndRun || base + held > <u32>at.mostCorrections) putEnds();
    }
    from = next;
  }
  return out;
}

/** The end of a scan: what is pending, filled up with ones. */
export function endScan(to: usize): usize {
  out = to;
  putEnds();
  if (out !== 0) {
    put(127, 7);
    store<u32>(at.pendingCount, 0);
    store<u64>(at.pendingBits, 0);
  }
  return out;
}
