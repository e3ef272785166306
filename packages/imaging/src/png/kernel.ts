import { readFileSync } from "node:fs";

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
  writeTokens(at: number, end: number, from: number, to: number): number;
};

/** Compiled code, without state: each picture gets an instance and a memory of its own. */
const [filtering, deflating] = ["./filter.wasm", "./deflate.wasm"].map(
  (name) => new WebAssembly.Module(readFileSync(new URL(name, import.meta.url))),
) as [WebAssembly.Module, WebAssembly.Module]; // as many as names

const pageBytes = 65_536;

/** Both kernels on one memory of at least so many bytes, all of it zero. */
export function startKernels(bytes: number): { memory: Uint8Array; filter: FilterKernel; deflate: DeflateKernel } {
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / pageBytes) });
  const imports = { picture: { memory } };
  return {
    memory: new Uint8Array(memory.buffer),
    // The exports are those of the .wat, which the types describe.
    filter: new WebAssembly.Instance(filtering, imports).exports as unknown as FilterKernel,
    deflate: new WebAssembly.Instance(deflating, imports).exports as unknown as DeflateKernel,
  };
}
