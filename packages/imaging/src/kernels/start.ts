import { existsSync, readFileSync } from "node:fs";

/** Each is compiled from assembly/<name>.ts by `npm run kernels`. */
type KernelName =
  | "deflate"
  | "filter"
  | "optimal-parse"
  | "compare-planes"
  | "quantize-row"
  | "clamp-to-source"
  | "shrink"
  | "jpeg-planes"
  | "jpeg-blocks"
  | "jpeg-scans";

const build = new URL("./build/", import.meta.url);

/** @throws when the kernels were not compiled, with a sentence for the operator */
export function checkKernels(folder: URL = build): void {
  // Written last.
  if (!existsSync(new URL("made-from", folder)))
    throw new Error("The WebAssembly kernels are not built. Please run: npm run build");
}

/** A kernel's code, compiled and without state: each picture gets an instance and a memory of its own. */
export function compileKernel(name: KernelName): WebAssembly.Module {
  checkKernels();
  return new WebAssembly.Module(readFileSync(new URL(`${name}.wasm`, build)));
}

/** Zeroed memory of at least so many bytes, for kernels that work on the same data. */
export const kernelMemory = (bytes: number): WebAssembly.Memory =>
  new WebAssembly.Memory({ initial: Math.ceil(bytes / 65_536) });

/** An instance that works on the memory. Its exports are `K`, the functions that assembly/<name>.ts exports. */
export const startKernel = <K extends object>(code: WebAssembly.Module, memory: WebAssembly.Memory): K =>
  new WebAssembly.Instance(code, { env: { memory } }).exports as K;
