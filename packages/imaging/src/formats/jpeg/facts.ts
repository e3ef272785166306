import { isFrame, markers, segmentAt } from "@tintype/codecs/jpeg";

/** Compression parameters from a JPEG's DQT and SOF segments. */
export type JpegFacts = {
  /** 1 to 100 on the IJG scale, estimated from quantization table 0. */
  quality: number;
  /** Whether chroma is subsampled. */
  isSubsampled: boolean;
};

/**
 * Reads the sampling factors (SOF: ITU-T T.81, B.2.2) and quantization tables (DQT: B.2.4.1) before the first scan.
 * @param bytes a JPEG file, or its beginning
 * @returns undefined if the segments before the first scan are truncated, or have no quantization table 0
 */
export function readJpegFacts(bytes: Uint8Array): JpegFacts | undefined {
  let luma: number[] | undefined;
  let isSubsampled = false;
  for (let at = 2; at < bytes.length; ) {
    const segment = segmentAt(bytes, at);
    if (!segment) return undefined;
    const { marker, data, end } = segment;
    if (marker === markers.sos || marker === markers.eoi) break;
    if (marker === markers.dqt) luma = readTables(data) ?? luma;
    if (isFrame(marker)) isSubsampled = hasSmallerColour(data);
    at = end;
  }
  return luma && { quality: qualityOf(luma), isSubsampled };
}

/** Quantization table 0 of a DQT segment, in zig-zag order. Every encoder in use puts the luma table there. */
function readTables(body: Uint8Array): number[] | undefined {
  for (let at = 0; at < body.length; ) {
    const [precision, id] = [(body[at] ?? 0) >> 4, (body[at] ?? 0) & 15];
    const size = precision === 0 ? 1 : 2;
    const values = Array.from({ length: 64 }, (_, i) =>
      size === 1 ? (body[at + 1 + i] ?? 0) : (body[at + 1 + 2 * i] ?? 0) * 256 + (body[at + 2 + 2 * i] ?? 0),
    );
    if (id === 0) return values;
    at += 1 + 64 * size;
  }
  return undefined;
}

/** Component parameters start at byte 6: Ci, Hi and Vi, Tqi (ITU-T T.81, B.2.2). */
function hasSmallerColour(body: Uint8Array): boolean {
  const factors = Array.from({ length: body[5] ?? 0 }, (_, i) => body[7 + 3 * i]);
  return new Set(factors).size > 1;
}

/** ITU-T T.81, table K.1, in zig-zag order: libjpeg scales it by quality. */
// biome-ignore format: eight a line, as in the standard
const standardLuma = [
  16, 11, 12, 14, 12, 10, 16, 14,
  13, 14, 18, 17, 16, 19, 24, 40,
  26, 24, 22, 22, 24, 49, 35, 37,
  29, 40, 58, 51, 61, 60, 57, 51,
  56, 55, 64, 72, 92, 78, 64, 68,
  87, 69, 55, 56, 80, 109, 81, 87,
  95, 98, 103, 104, 103, 62, 77, 113,
  121, 112, 100, 120, 92, 101, 103, 99,
];

/**
 * The IJG quality whose table has the same sum. Cameras and mozjpeg use tables of other shapes: for them it is the
 * nearest match.
 */
function qualityOf(table: readonly number[]): number {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const percent = (100 * sum(table)) / sum(standardLuma);
  // jpeg_quality_scaling() in libjpeg's jcparam.c: 5000 / quality below 50, 200 - 2 * quality from 50 on.
  const quality = percent > 100 ? 5000 / percent : (200 - percent) / 2;
  return Math.max(1, Math.min(100, Math.round(quality)));
}
