import { DomainError } from "@tintype/contract";

/** Values of SampleFormat (TIFF 6.0, 19). */
export const sampleFormats = { unsigned: 1, signed: 2, floatingPoint: 3, undefined: 4 } as const;

type SampleKind = {
  /** 1 to 32, or 64. */
  bits: number;
  sampleFormat: number;
  isLittle: boolean;
};

/** Reads sample `index` of a row, unscaled. */
type ReadSample = (row: DataView, index: number) => number;

/**
 * The reader for a sample format and bit depth.
 * @throws cannot-process for formats that are not supported: complex numbers, other depths
 */
export function sampleReader(kind: SampleKind): ReadSample {
  const read = knownReader(kind);
  if (!read)
    throw new DomainError("cannot-process", {
      reason: { code: "tiff-samples", sampleFormat: kind.sampleFormat, bits: kind.bits },
    });
  return read;
}

function knownReader({ bits, sampleFormat: format, isLittle }: SampleKind): ReadSample | undefined {
  if (format === sampleFormats.floatingPoint) {
    if (bits === 16) return (row, i) => halfFloat(row.getUint16(2 * i, isLittle));
    if (bits === 24) return (row, i) => float24(triple(row, 3 * i, isLittle));
    if (bits === 32) return (row, i) => row.getFloat32(4 * i, isLittle);
    return bits === 64 ? (row, i) => row.getFloat64(8 * i, isLittle) : undefined;
  }
  if (format === sampleFormats.signed) {
    if (bits === 8) return (row, i) => row.getInt8(i);
    if (bits === 16) return (row, i) => row.getInt16(2 * i, isLittle);
    if (bits === 32) return (row, i) => row.getInt32(4 * i, isLittle);
    return bits === 64 ? (row, i) => Number(row.getBigInt64(8 * i, isLittle)) : undefined;
  }
  if (format !== sampleFormats.unsigned && format !== sampleFormats.undefined) return undefined;
  if (bits === 8) return (row, i) => row.getUint8(i);
  if (bits === 16) return (row, i) => row.getUint16(2 * i, isLittle);
  if (bits === 24) return (row, i) => triple(row, 3 * i, isLittle);
  if (bits === 32) return (row, i) => row.getUint32(4 * i, isLittle);
  if (bits === 64) return (row, i) => Number(row.getBigUint64(8 * i, isLittle));
  return bits < 32 ? (row, i) => bitsAt(row, i * bits, bits) : undefined;
}

/** Samples that do not fill whole bytes are packed most significant bit first, in either byte order. */
function bitsAt(row: DataView, at: number, bits: number): number {
  let value = 0;
  for (let left = bits, bit = at; left > 0; ) {
    const inByte = Math.min(left, 8 - (bit & 7));
    const byte = row.getUint8(bit >> 3);
    value = value * 2 ** inByte + ((byte >> (8 - (bit & 7) - inByte)) & ((1 << inByte) - 1));
    bit += inByte;
    left -= inByte;
  }
  return value;
}

const triple = (row: DataView, at: number, isLittle: boolean): number =>
  isLittle
    ? row.getUint8(at) | (row.getUint8(at + 1) << 8) | (row.getUint8(at + 2) << 16)
    : (row.getUint8(at) << 16) | (row.getUint8(at + 1) << 8) | row.getUint8(at + 2);

/** IEEE 754 binary16. */
const halfFloat = (word: number): number => floatOf({ word, exponentBits: 5, fractionBits: 10 });
/** The 24-bit format of Adobe's technical note 3: 1 bit of sign, 7 of exponent, 16 of fraction. */
const float24 = (word: number): number => floatOf({ word, exponentBits: 7, fractionBits: 16 });

type Float = { word: number; exponentBits: number; fractionBits: number };

function floatOf({ word, exponentBits, fractionBits }: Float): number {
  const fraction = (word & (2 ** fractionBits - 1)) / 2 ** fractionBits;
  const highest = 2 ** exponentBits - 1;
  const exponent = (word >> fractionBits) & highest;
  const sign = (word >> (fractionBits + exponentBits)) & 1 ? -1 : 1;
  const bias = highest >> 1;
  if (exponent === highest) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (exponent === 0 ? fraction * 2 ** (1 - bias) : (1 + fraction) * 2 ** (exponent - bias));
}
