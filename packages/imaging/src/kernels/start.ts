import { existsSync, readFileSync } from "node:fs";

/** Each is compiled from assembly/<name>.ts by `npm run kernels`. */
type KernelName =
  | "deflate"
  | "filter"
  | "optimal-parse"
  | "compare-planes"
  | "quantize-row"
  | "dither-row"
  | "clamp-to-source"
  | "shrink"
  | "jpeg-planes"
  | "jpeg-blocks"
  | "jpeg-scans";

const build = new URL("./build/", import.meta.url);

/** @throws if the kernels are not compiled, with a message for the operator */
export function checkKernels(folder: URL = build): void {
  // The build writes this file last.
  if (!existsSync(new URL("made-from", folder)))
    throw new Error("The WebAssembly kernels are not built. Please run: npm run build");
}

/** A compiled kernel, without state: each picture gets its own instance and memory. */
export function compileKernel(name: KernelName): WebAssembly.Module {
  checkKernels();
  return new WebAssembly.Module(readFileSync(new URL(`${name}.wasm`, build)));
}

/** Zeroed memory of at least this many bytes, for kernels that share data. */
export const kernelMemory = (bytes: number): WebAssembly.Memory =>
  new WebAssembly.Memory({ initial: Math.ceil(bytes / 65_536) });

/** An instance of a kernel on this memory. `K`: the functions that assembly/<name>.ts exports. */
export const startKernel = <K extends object>(code: WebAssembly.Module, memory: WebAssembly.Memory): K =>
  new WebAssembly.Instance(code, { env: { memory } }).exports as K;
