/**
 * Whether grey has limited range by its AV1 sequence header (AV1 specification, 5.5.2, `color_range`); undefined if the
 * header is not among the OBUs, or if the picture is not grey.
 */
export function isLimitedGreyAv1(obus: Uint8Array): boolean | undefined {
  const header = findSequenceHeader(obus);
  if (!header) return undefined;
  try {
    return readRange(bitsOf(header));
  } catch (problem) {
    if (problem instanceof RangeError) return undefined;
    throw problem;
  }
}

const sequenceHeader = 1;

/** Low-overhead OBUs (5.3): type, optional extension, size in LEB128. */
function findSequenceHeader(obus: Uint8Array): Uint8Array | undefined {
  for (let at = 0; at < obus.length; ) {
    const head = obus[at] ?? 0;
    at += head & 4 ? 2 : 1;
    let size = obus.length - at;
    if (head & 2) {
      size = 0;
      for (let shift = 0; shift < 56; shift += 7) {
        const byte = obus[at++] ?? 0;
        size += (byte & 127) * 2 ** shift;
        if (byte < 128) break;
      }
    }
    if (((head >> 3) & 15) === sequenceHeader) return obus.subarray(at, at + size);
    at += size;
  }
  return undefined;
}

type Bits = (count: number) => number;

/** @throws RangeError past the end */
function bitsOf(bytes: Uint8Array): Bits {
  let at = 0;
  return (count) => {
    if (at + count > bytes.length * 8) throw new RangeError("AV1: the sequence header ends early");
    let value = 0;
    for (let i = 0; i < count; i++, at++) value = value * 2 + (((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
    return value;
  };
}

/** sequence_header_obu (5.5.1) up to color_range. */
function readRange(f: Bits): boolean | undefined {
  const profile = f(3);
  f(1); // still_picture
  const isReduced = f(1) === 1;
  if (isReduced) f(5);
  else skipOperatingPoints(f);
  const [widthBits, heightBits] = [f(4) + 1, f(4) + 1];
  f(widthBits);
  f(heightBits);
  if (!isReduced && f(1)) f(7); // frame ids
  f(3); // use_128x128_superblock, enable_filter_intra, enable_intra_edge_filter
  if (!isReduced) skipTools(f);
  f(3); // enable_superres, enable_cdef, enable_restoration
  const isDeep = f(1) === 1;
  if (profile === 2 && isDeep) f(1);
  const isMonochrome = profile !== 1 && f(1) === 1;
  if (f(1)) f(24); // color_description
  return isMonochrome ? f(1) === 0 : undefined;
}

function skipOperatingPoints(f: Bits): void {
  let delayBits = 0;
  if (f(1)) {
    f(64); // num_units_in_display_tick, time_scale
    if (f(1)) skipVariableLength(f);
    if (f(1)) {
      delayBits = f(5) + 1;
      f(42);
    }
  }
  const hasDelays = f(1) === 1;
  for (let left = f(5) + 1; left > 0; left--) {
    f(12);
    if (f(5) > 7) f(1); // seq_tier
    if (delayBits > 0 && f(1)) f(2 * delayBits + 1);
    if (hasDelays && f(1)) f(4);
  }
}

/** uvlc() (4.10.3) */
function skipVariableLength(f: Bits): void {
  let zeros = 0;
  while (!f(1)) zeros++;
  if (zeros < 32) f(zeros);
}

function skipTools(f: Bits): void {
  f(4); // enable_interintra_compound to enable_dual_filter
  const hasOrderHint = f(1) === 1;
  if (hasOrderHint) f(2);
  const forcesScreenTools = f(1) === 1 || f(1) === 1;
  if (forcesScreenTools && !f(1)) f(1); // seq_force_integer_mv
  if (hasOrderHint) f(3);
}
