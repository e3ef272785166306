type Depth = 1 | 2 | 4 | 8;

/** The bits of an index into so many colours. */
export const depthFor = (count: number): Depth => (count <= 2 ? 1 : count <= 4 ? 2 : count <= 16 ? 4 : 8);

/** Packs several numbers into a byte, the first in the highest bits. Each row begins at a byte boundary. */
export function packNumbers(numbers: Uint8Array, { width, depth }: { width: number; depth: Depth }): Uint8Array {
  if (depth === 8) return numbers;
  const perByte = 8 / depth;
  const rowLength = Math.ceil(width / perByte);
  const packed = new Uint8Array((rowLength * numbers.length) / width);
  for (const [pixel, number] of numbers.entries()) {
    const x = pixel % width;
    const at = ((pixel - x) / width) * rowLength + Math.floor(x / perByte);
    packed[at] = (packed[at] as number) | (number << (8 - depth * ((x % perByte) + 1)));
  }
  return packed;
}
