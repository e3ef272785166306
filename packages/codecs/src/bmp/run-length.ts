import { type BmpHeader, broken } from "./header.ts";

/**
 * Receives the pixels that a run-length stream draws, always within the picture. `x` counts from the left, `row` in
 * file order.
 */
export type RunSink = {
  /**
   * `count` pixels of one value, or of two alternating ones (RLE4). `offset`: of the value's byte, or of its three
   * bytes (RLE24).
   */
  run(at: { x: number; row: number; count: number; offset: number }): void;
  /** `count` pixels, each with its own value; `offset` is that of the first one. */
  literal(at: { x: number; row: number; count: number; offset: number }): void;
};

/**
 * Parses a run-length encoded bitmap. Pixels past the right edge are clipped, as the padding of RLE4 requires. A stream
 * may skip pixels, and may end before the last row.
 * @throws damaged when the stream draws outside the bitmap, or the file ends before the stream does
 */
export function walkRuns(bytes: Uint8Array, header: BmpHeader, sink: RunSink): void {
  const { width, height, packing } = header;
  const valueBytes = packing === "rle24" ? 3 : 1;
  const literalBytes = (count: number) => (packing === "rle4" ? (count + 1) >> 1 : count * valueBytes);
  let [x, row, offset] = [0, 0, header.pixelsOffset];
  const clip = (count: number) => {
    if (row >= height) broken("Its run-length code draws outside the picture.");
    return Math.max(0, Math.min(count, width - x));
  };
  while (offset + 1 < bytes.length) {
    const count = bytes[offset] ?? 0;
    const value = bytes[offset + 1] ?? 0;
    if (count > 0) {
      if (offset + 1 + valueBytes > bytes.length) break;
      sink.run({ x, row, count: clip(count), offset: offset + 1 });
      x += count;
      offset += 1 + valueBytes;
    } else if (value === 0) {
      x = 0;
      row += 1;
      offset += 2;
    } else if (value === 1) {
      return;
    } else if (value === 2) {
      x += bytes[offset + 2] ?? 0;
      row += bytes[offset + 3] ?? 0;
      offset += 4;
    } else {
      const length = literalBytes(value);
      if (offset + 2 + length > bytes.length) break;
      sink.literal({ x, row, count: clip(value), offset: offset + 2 });
      x += value;
      offset += 2 + length + (length & 1); // padded to two bytes
    }
  }
  // Some writers omit the end-of-bitmap escape; the last row must then be complete.
  if (row < height - 1 || (row === height - 1 && x < width)) broken("The file ends before the picture does.");
}
