// Scans of a progressive JPEG (ITU-T T.81, annex G), for formats/jpeg/scans.ts: counts the symbols of a scan, or writes it.
//
// Blocks are words as jpeg-blocks.ts writes them: the number of nonzero AC coefficients << 16 | DC; then for each of these its
// zigzag index << 16 | its value. All addresses are bytes.
import { zrl } from "../layout/jpeg-blocks";
import * as at from "../layout/jpeg-scans";

/** The address of the next byte of output; 0 counts symbols and writes nothing. */
let out: usize = 0;

function sizeOf(value: u32): u32 {
  return 32 - clz(value);
}

function put(bits: u32, length: u32): void {
  if (length === 0) return;
  if (out === 0) {
    store<u64>(at.additionalBits, load<u64>(at.additionalBits) + length);
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

/** The first DC scan (G.1.2.1): each DC, shifted right by Al, as its difference from the one before. */
export function dcScan(from: usize, end: usize, al: u32, to: usize): usize {
  out = to;
  while (from < end) {
    const head = load<u32>(from);
    const value = (<i32>(head << 16) >> 16) >> al;
    const difference = value - load<i32>(at.previousDc);
    store<i32>(at.previousDc, value);
    const size = sizeOf(abs<i32>(difference));
    symbol(size);
    put(<u32>(difference < 0 ? difference - 1 : difference), size);
    from += 4 + ((head >>> 16) << 2);
  }
  return out;
}

/** Writes the pending EOB run as EOBn, then its correction bits (G.1.2.2 and G.1.2.3). */
function putEobRun(): void {
  const run = load<u32>(at.eobRun);
  if (run > 0) {
    const size = sizeOf(run) - 1;
    symbol(size << 4);
    put(run, size);
    store<u32>(at.eobRun, 0);
    putCorrectionBits(0, load<u32>(at.eobCorrectionBits));
    store<u32>(at.eobCorrectionBits, 0);
  }
}

function putCorrectionBits(from: u32, count: u32): void {
  if (out === 0) {
    store<u64>(at.additionalBits, load<u64>(at.additionalBits) + count);
    return;
  }
  const end = from + count;
  while (from < end) {
    const length = min<u32>(16, end - from);
    let bits: u32 = 0;
    for (let i: u32 = 0; i < length; i++) bits = (bits << 1) | load<u8>(from + i, at.correctionBits);
    put(bits, length);
    from += length;
  }
}

/** A first AC scan (G.1.2.2): coefficients Ss to Se without their lowest Al bits. */
export function acFirstScan(from: usize, end: usize, ss: u32, se: u32, al: u32, to: usize): usize {
  out = to;
  while (from < end) {
    const next = from + 4 + ((load<u32>(from) >>> 16) << 2);
    let run = ss - 1;
    for (let word = from + 4; word < next; word += 4) {
      const token = load<u32>(word);
      const place = token >>> 16;
      if (place < ss) continue;
      if (place > se) break;
      const value = <i32>(token << 16) >> 16;
      const size = abs<i32>(value) >> al;
      if (size === 0) continue;
      putEobRun();
      let zeros = place - run - 1;
      for (; zeros > 15; zeros -= 16) symbol(zrl);
      const bits = sizeOf(size);
      symbol((zeros << 4) | bits);
      put(<u32>(value < 0 ? ~size : size), bits);
      run = place;
    }
    if (run < se) {
      const blocks = load<u32>(at.eobRun) + 1;
      store<u32>(at.eobRun, blocks);
      if (blocks === at.longestEobRun) putEobRun();
    }
    from = next;
  }
  return out;
}

/** An AC refinement scan (G.1.2.3): bit Al of coefficients Ss to Se, both of newly nonzero ones and of the others. */
export function acRefinementScan(from: usize, end: usize, ss: u32, se: u32, al: u32, to: usize): usize {
  out = to;
  while (from < end) {
    const next = from + 4 + ((load<u32>(from) >>> 16) << 2);
    // The last newly nonzero coefficient: after it the block has only correction bits.
    let lastNew: u32 = 0;
    for (let word = from + 4; word < next; word += 4) {
      const token = load<u32>(word);
      const place = token >>> 16;
      if (place < ss) continue;
      if (place > se) break;
      if (abs<i32>(<i32>(token << 16) >> 16) >> al === 1) lastNew = place;
    }
    let zeros: u32 = 0;
    let expected = ss;
    // Correction bits of this block follow those of the EOB run.
    let base = load<u32>(at.eobCorrectionBits);
    let held: u32 = 0;
    let isOpen = false;
    for (let word = from + 4; word < next; word += 4) {
      const token = load<u32>(word);
      const place = token >>> 16;
      if (place < ss) continue;
      if (place > se) break;
      const value = <i32>(token << 16) >> 16;
      const size = <u32>abs<i32>(value) >> al;
      if (size === 0) continue;
      zeros += place - expected;
      expected = place + 1;
      while (zeros > 15 && place <= lastNew) {
        putEobRun();
        symbol(zrl);
        zeros -= 16;
        putCorrectionBits(base, held);
        base = 0;
        held = 0;
      }
      if (size > 1) {
        store<u8>(base + held++, <u8>(size & 1), at.correctionBits);
        continue;
      }
      putEobRun();
      symbol((zeros << 4) | 1);
      put(value < 0 ? 0 : 1, 1);
      putCorrectionBits(base, held);
      base = 0;
      held = 0;
      zeros = 0;
    }
    isOpen = expected <= se;
    if (isOpen || held > 0) {
      // `base` is the end of the EOB run's correction bits, or 0 once these have been written.
      store<u32>(at.eobRun, load<u32>(at.eobRun) + 1);
      store<u32>(at.eobCorrectionBits, base + held);
      if (load<u32>(at.eobRun) === at.longestEobRun || base + held > <u32>at.maximumCorrectionBits) putEobRun();
    }
    from = next;
  }
  return out;
}

/** Writes what is pending, and pads the last byte with ones (F.1.2.3). */
export function finishScan(to: usize): usize {
  out = to;
  putEobRun();
  if (out !== 0) {
    put(127, 7);
    store<u32>(at.pendingCount, 0);
    store<u64>(at.pendingBits, 0);
  }
  return out;
}
