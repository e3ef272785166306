import { compileKernel, startKernel } from "../../kernels/start.ts";

/** The functions of kernels/assembly/filter.ts. Addresses and lengths are bytes. */
export type FilterKernel = {
  swapBytes(at: number, end: number): void;
  chooseFilter(row: number, above: number, back: number, end: number): number;
  applyFilter(filter: number, row: number, above: number, back: number, end: number, to: number): void;
  checksum(sum: number, at: number, end: number): number;
};

/** The functions of kernels/assembly/deflate.ts. */
export type DeflateKernel = {
  findMatches(at: number, segment: number, end: number, shift: number, tokens: number, searchDepth: number): number;
  passBytes(at: number, end: number): void;
  writeTokens(at: number, end: number, from: number, to: number): number;
};

const filtering = compileKernel("filter");
const deflating = compileKernel("deflate");
const parsing = compileKernel("optimal-parse");

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

/** The functions of kernels/assembly/optimal-parse.ts. */
export type ParseKernel = {
  findMatches(
    chunk: number,
    end: number,
    first: number,
    last: number,
    depth: number,
    pixelBytes: number,
    rowBytes: number,
  ): number;
  chooseSteps(chunk: number, from: number, to: number): void;
  countSteps(chunk: number, at: number, to: number): number;
  writeSteps(chunk: number, at: number, to: number, tokens: number): number;
};

/** As `startKernels`, with the kernel of optimal parsing too. */
export function startParsing(bytes: number) {
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / pageBytes) });
  return {
    memory: new Uint8Array(memory.buffer),
    filter: startKernel<FilterKernel>(filtering, memory),
    deflate: startKernel<DeflateKernel>(deflating, memory),
    parse: startKernel<ParseKernel>(parsing, memory),
  };
}
