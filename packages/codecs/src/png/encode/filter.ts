import code from "../../kernels/build/filter.wasm.js";
import { loadKernel } from "../../kernels/load-kernel.ts";

/** The functions of kernels/assembly/filter.ts. Addresses and lengths are bytes. */
type FilterKernel = {
  swapBytes(at: number, end: number): void;
  chooseFilter(row: number, above: number, back: number, end: number): number;
  applyFilter(filter: number, row: number, above: number, back: number, end: number, to: number): void;
};

const startKernel = loadKernel<FilterKernel>(code);

/**
 * Zeros before a row, at least as many as the widest pixel has bytes; after a row, bytes that the kernel may overwrite.
 */
const margin = 64;

/** The memory layout of the current and the previous row, from `start` on. */
export function filterLayout(start: number, rowBytes: number) {
  const step = Math.ceil(rowBytes / margin) * margin + 2 * margin;
  return { rows: [start + margin, start + step + margin] as const, end: start + 2 * step };
}

type FilterOptions = {
  memory: WebAssembly.Memory;
  layout: ReturnType<typeof filterLayout>;
  rowBytes: number;
  /** Bytes per pixel, 1 to 8. */
  pixelBytes: number;
  depth: 8 | 16;
};

/**
 * Filters scanlines (PNG, third edition, 9.2), each with the filter type of the minimum sum of absolute differences
 * (12.7). `filterRow` takes a row, 16-bit samples in little-endian order, and writes the filter type byte and the
 * filtered bytes. It overwrites up to 16 bytes after them.
 */
export function createFilter({ memory, layout, rowBytes, pixelBytes, depth }: FilterOptions) {
  const kernel = startKernel(memory);
  const bytes = new Uint8Array(memory.buffer);
  let [row, above] = layout.rows;
  return {
    filterRow(samples: Uint8Array, to: number): void {
      const end = row + rowBytes;
      bytes.set(samples, row);
      if (depth === 16) kernel.swapBytes(row, end);
      const filter = kernel.chooseFilter(row, above, pixelBytes, end);
      bytes[to] = filter;
      kernel.applyFilter(filter, row, above, pixelBytes, end, to + 1);
      [row, above] = [above, row];
    },
  };
}
