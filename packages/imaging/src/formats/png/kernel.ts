import { compileKernel, startKernel } from "../../kernels/start.ts";

/** The functions of kernels/assembly/filter.ts. Addresses and lengths are bytes. */
export type FilterKernel = {
  swapBytes(at: number, end: number): void;
  chooseFilter(row: number, above: number, back: number, end: number): number;
  applyFilter(filter: number, row: number, above: number, back: number, end: number, to: number): void;
  checksum(sum: number, at: number, end: number): number;
};

const filtering = compileKernel("filter");

const pageBytes = 65_536;

/** The kernel on a memory of at least so many bytes, all of it zero. */
export function startFilter(bytes: number): { memory: Uint8Array; kernel: FilterKernel } {
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / pageBytes) });
  return { memory: new Uint8Array(memory.buffer), kernel: startKernel<FilterKernel>(filtering, memory) };
}
