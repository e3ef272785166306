/** Zig-zag order (ITU-T T.81, A.3.6, figure A.6): the raster index of each coefficient of an 8 x 8 block. */
export const zigzag: readonly number[] = Array.from({ length: 15 }, (_, diagonal) =>
  Array.from({ length: diagonal + 1 }, (_, i) => {
    const [row, column] = diagonal % 2 === 1 ? [i, diagonal - i] : [diagonal - i, i];
    return row < 8 && column < 8 ? [row * 8 + column] : [];
  }).flat(),
).flat();
