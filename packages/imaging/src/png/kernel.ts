import { compileKernel, startKernel } from "../wasm/kernel.ts";

/** What filter.wasm gives; filter.wat says what each does. Addresses and lengths are bytes. */
export type FilterKernel = {
  swapBytes(at: number, end: number): void;
  chooseFilter(row: number, above: number, back: number, end: number): number;
  applyFilter(filter: number, row: number, above: number, back: number, end: number, to: number): void;
  checksum(sum: number, at: number, end: number): number;
};

/** What deflate.wasm gives; deflate.wat says what each does. */
export type DeflateKernel = {
  findMatches(at: number, segment: number, end: number, shift: number, tokens: number, patience: number): number;
  passBytes(at: number, end: number): void;
  writeTokens(at: number, end: number, from: number, to: number): number;
};

const filtering = compileKernel(new URL("./filter.wasm", import.meta.url));
const deflating = compileKernel(new URL("./deflate.wasm", import.meta.url));

const pageBytes = 65_536;

/** Both kernels on one memory of at least so many bytes, all of it zero. */
export function startKernels(bytes: number): { memory: Uint8Array; filter: FilterKernel; deflate: DeflateKernel } {
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / pageBytes) });
  return {
    memory: new Uint8Array(memory.buffer),
    filter: startKernel<FilterKernel>(filtering, memory),
    deflate: startKernel<DeflateKernel>(deflating, memory),
  };
}
