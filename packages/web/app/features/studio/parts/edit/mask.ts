/** Dilation of a mask by its eight neighbours. */
export function dilate(mask: Uint8Array, width: number): Uint8Array<ArrayBuffer> {
  const wide = new Uint8Array(mask.length);
  for (let start = 0; start < mask.length; start += width)
    for (let i = start; i < start + width; i += 1)
      if (mask[i] || (i > start && mask[i - 1]) || (i < start + width - 1 && mask[i + 1])) wide[i] = 1;
  const dilated = wide.slice();
  for (let i = 0; i < wide.length; i += 1)
    if (wide[i]) {
      if (i >= width) dilated[i - width] = 1;
      if (i + width < wide.length) dilated[i + width] = 1;
    }
  return dilated;
}

/** Erosion of a mask by its eight neighbours. */
export function erode(mask: Uint8Array, width: number): Uint8Array {
  return dilate(
    mask.map((is) => 1 - is),
    width,
  ).map((is) => 1 - is);
}
