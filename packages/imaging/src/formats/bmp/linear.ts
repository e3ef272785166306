/**
 * Reads rows of 64 bit pixels: blue, green, red and alpha as fixed point numbers of 13 binary places in linear light
 * (GDI+ PixelFormat64bppARGB). They become 8 bit sRGB; values brighter than white become white.
 */
export function linearReader(): (row: Uint8Array, target: Uint8Array, at: number) => void {
  const toSrgb = Uint8Array.from({ length: one + 1 }, (_, value) => Math.round(255 * encode(value / one)));
  return (row, target, at) => {
    const values = new DataView(row.buffer, row.byteOffset, row.length);
    const read = (offset: number) => Math.max(0, Math.min(one, values.getInt16(offset, true)));
    for (let from = 0, to = at; from < row.length; from += 8, to += 4) {
      target[to] = toSrgb[read(from + 4)] ?? 0;
      target[to + 1] = toSrgb[read(from + 2)] ?? 0;
      target[to + 2] = toSrgb[read(from)] ?? 0;
      target[to + 3] = Math.round((read(from + 6) * 255) / one);
    }
  };
}

const one = 1 << 13;

/** IEC 61966-2-1, from linear light to the sRGB signal, 0..1. */
const encode = (light: number) => (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055);
