import type { FilterKernel } from "./kernel.ts";

/** Zeros before a row, as many as the widest pixel has bytes and more; and what the kernel overruns. */
const margin = 64;

/** The memory that two rows take, and where they lie from `start` on. */
export function filterRoom(start: number, rowBytes: number) {
  const step = Math.ceil(rowBytes / margin) * margin + 2 * margin;
  return { rows: [start + margin, start + step + margin] as const, end: start + 2 * step };
}

type Making = {
  memory: Uint8Array;
  kernel: FilterKernel;
  room: ReturnType<typeof filterRoom>;
  rowBytes: number;
  /** 1 to 8. */
  pixelBytes: number;
  depth: 8 | 16;
};

/**
 * Filters one row after the other, each by the one of PNG's five filters that leaves the least: `filterRow` takes a row
 * (16 bit samples with the low byte first) and writes the filter's number and what it leaves to an address, beyond whose
 * end up to 16 bytes are overwritten.
 */
export function createFilter({ memory, kernel, room, rowBytes, pixelBytes, depth }: Making) {
  let [row, above] = room.rows;
  return {
    filterRow(samples: Uint8Array, to: number): void {
      const end = row + rowBytes;
      memory.set(samples, row);
      if (depth === 16) kernel.swapBytes(row, end);
      const filter = kernel.chooseFilter(row, above, pixelBytes, end);
      memory[to] = filter;
      kernel.applyFilter(filter, row, above, pixelBytes, end, to + 1);
      [row, above] = [above, row];
    },
  };
}
