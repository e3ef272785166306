/**
 * Encodes rows of palette indices as RLE8 or RLE4, bottom-up as the format requires. Undefined once the result reaches
 * `limitBytes`.
 */
export function encodeRuns(
  indices: Uint8Array,
  { width, height, bits, limitBytes }: { width: number; height: number; bits: 4 | 8; limitBytes: number },
): Uint8Array | undefined {
  const packed = new Uint8Array(limitBytes);
  const writer = runWriter(packed, bits);
  for (let y = height - 1; y >= 0; y--) {
    writer.row(indices.subarray(y * width, (y + 1) * width));
    writer.mark(y === 0 ? 1 : 0); // end of bitmap, or of line
    if (writer.length() >= limitBytes) return undefined;
  }
  return packed.subarray(0, writer.length());
}

/** Absolute mode needs at least three pixels: the counts 0 to 2 are the escapes for end of line, end of bitmap and delta. */
const minLiteralLength = 3;
const longest = 255;

function runWriter(target: Uint8Array, bits: 4 | 8) {
  let length = 0;
  // A typed array drops writes past its end; the caller checks the length and gives up.
  const put = (byte: number) => {
    target[length++] = byte;
  };
  /** RLE4 repeats a pair of pixels, RLE8 a single one. */
  const period = bits === 4 ? 2 : 1;
  /** From this length on, a run is worth interrupting a literal. */
  const worthwhile = bits === 4 ? 8 : 4;

  const runAt = (row: Uint8Array, start: number) => {
    let end = Math.min(start + period, row.length);
    while (end < row.length && end - start < longest && row[end] === row[end - period]) end++;
    return end - start;
  };
  const run = (row: Uint8Array, start: number, count: number) => {
    put(count);
    const first = row[start] ?? 0;
    put(bits === 8 ? first : (first << 4) | (count > 1 ? (row[start + 1] ?? 0) : 0));
  };
  const literal = (row: Uint8Array, start: number, count: number) => {
    put(0);
    put(count);
    const from = length;
    for (let i = start; i < start + count; i += period) {
      const value = row[i] ?? 0;
      put(bits === 8 ? value : (value << 4) | (i + 1 < start + count ? (row[i + 1] ?? 0) : 0));
    }
    if ((length - from) % 2 === 1) put(0);
  };
  const flush = (row: Uint8Array, start: number, end: number) => {
    for (let at = start; at < end; ) {
      const count = Math.min(longest, end - at);
      if (count >= minLiteralLength) literal(row, at, count);
      else for (let i = at; i < at + count; i += period) run(row, i, Math.min(period, at + count - i));
      at += count;
    }
  };
  return {
    row(row: Uint8Array): void {
      let pending = 0;
      for (let x = 0; x < row.length; ) {
        const count = runAt(row, x);
        const isWhole = count === row.length - x && pending === x;
        if (count >= worthwhile || isWhole) {
          flush(row, pending, x);
          run(row, x, count);
          pending = x + count;
          x = pending;
        } else x += Math.max(1, count - period + 1); // in RLE4 the last pixel may start a better run
      }
      flush(row, pending, row.length);
    },
    mark(code: 0 | 1): void {
      put(0);
      put(code);
    },
    length: () => length,
  };
}
