import { readBoxes } from "../heif/boxes.ts";

/** ExtraChannelType (ISO/IEC 18181-1, table D.8). */
const types = { alpha: 0, spot: 2, colourFilter: 5 } as const;

/** A number in one of four forms: an offset and how many bits to add. */
type Form = readonly [offset: number, bits: number];

/**
 * Whether the colours of a JPEG XL are multiplied by its alpha: `alpha_associated` in the image header (ISO/IEC 18181-1,
 * annex D), which the decoder does not report.
 */
export function isPremultiplied(file: Uint8Array): boolean {
  const { bits, isSet, number } = bitsOf(codestreamOf(file));
  bits(16); // the signature
  skipSize();
  if (isSet()) return false; // all_default
  if (isSet()) skipExtraFields();
  skipDepth();
  isSet(); // modular_16bit_buffers
  const count = number([0, 0], [1, 0], [2, 4], [1, 12]);
  for (let i = 0; i < count; i++) {
    if (isSet()) return false; // d_alpha: not associated
    const type = number([0, 0], [1, 0], [2, 4], [18, 6]);
    skipDepth();
    number([0, 0], [3, 0], [4, 0], [1, 3]); // dim_shift
    for (let left = number([0, 0], [0, 4], [16, 5], [48, 10]); left > 0; left--) bits(8); // the name
    if (type === types.alpha) return isSet();
    if (type === types.spot) bits(64);
    if (type === types.colourFilter) number([1, 0], [0, 2], [3, 4], [19, 8]);
  }
  return false;

  function skipSize() {
    const isSmall = isSet();
    const skipSide = () => (isSmall ? bits(5) : number([1, 9], [1, 13], [1, 18], [1, 30]));
    skipSide();
    if (bits(3) === 0) skipSide();
  }

  function skipPreview() {
    const isSmall = isSet();
    const skipSide = () =>
      isSmall ? number([16, 0], [32, 0], [1, 5], [33, 9]) : number([1, 6], [65, 8], [321, 10], [1345, 12]);
    skipSide();
    if (bits(3) === 0) skipSide();
  }

  function skipExtraFields() {
    bits(3); // orientation
    if (isSet()) skipSize();
    if (isSet()) skipPreview();
    if (!isSet()) return;
    number([100, 0], [1000, 0], [1, 10], [1, 30]); // ticks a second
    number([1, 0], [1001, 0], [1, 8], [1, 10]);
    number([0, 0], [0, 3], [0, 16], [0, 32]); // loops
    isSet(); // have_timecodes
  }

  function skipDepth() {
    if (isSet()) {
      number([32, 0], [16, 0], [24, 0], [1, 6]);
      bits(4);
    } else number([8, 0], [10, 0], [12, 0], [1, 6]);
  }
}

/** The codestream, or its first part: of a container that is a `jxlc` box, or a `jxlp` box after its index. */
function codestreamOf(file: Uint8Array): Uint8Array {
  if (file[0] === 0xff) return file;
  for (const { type, body, end } of readBoxes(file, 0, file.length)) {
    if (type === "jxlc") return file.subarray(body, end);
    if (type === "jxlp") return file.subarray(body + 4, end);
  }
  return new Uint8Array();
}

/** Reads bits, the lowest of a byte first; beyond the end they are 0. */
function bitsOf(bytes: Uint8Array) {
  let at = 0;
  const bits = (count: number): number => {
    let value = 0;
    for (let i = 0; i < count; i++, at++) if (((bytes[at >> 3] ?? 0) >> (at & 7)) & 1) value += 2 ** i;
    return value;
  };
  const number = (...forms: readonly [Form, Form, Form, Form]): number => {
    const [offset, count] = forms[bits(2)] ?? forms[0];
    return offset + bits(count);
  };
  return { bits, isSet: () => bits(1) === 1, number };
}
