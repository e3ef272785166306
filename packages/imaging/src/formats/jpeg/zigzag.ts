/** The zigzag order of ITU-T T.81, figure A.6: the place of each coefficient in a block of eight rows of eight. */
export const zigzag: readonly number[] = Array.from({ length: 15 }, (_, diagonal) =>
  Array.from({ length: diagonal + 1 }, (_, i) => {
    const [row, column] = diagonal % 2 === 1 ? [i, diagonal - i] : [diagonal - i, i];
    return row < 8 && column < 8 ? [row * 8 + column] : [];
  }).flat(),
).flat();
