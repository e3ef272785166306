type Depth = 1 | 2 | 4 | 8;

/** The bit depth of an index into a palette of `count` colours (PNG, third edition, 11.2.1). */
export const depthFor = (count: number): Depth => (count <= 2 ? 1 : count <= 4 ? 2 : count <= 16 ? 4 : 8);

/** Packs indices into bytes, the first in the highest bits (PNG, third edition, 7.2). Each row starts at a byte boundary. */
export function packIndices(indices: Uint8Array, { width, depth }: { width: number; depth: Depth }): Uint8Array {
  if (depth === 8) return indices;
  const perByte = 8 / depth;
  const rowLength = Math.ceil(width / perByte);
  const packed = new Uint8Array((rowLength * indices.length) / width);
  for (const [pixel, number] of indices.entries()) {
    const x = pixel % width;
    const at = ((pixel - x) / width) * rowLength + Math.floor(x / perByte);
    packed[at] = (packed[at] as number) | (number << (8 - depth * ((x % perByte) + 1)));
  }
  return packed;
}
