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

/**
 * Compiles a kernel. Each call of the returned function instantiates it on a memory, without state of other pictures.
 * `K`: the functions that assembly/<name>.ts exports.
 */
export function loadKernel<K extends object>(name: KernelName): (memory: WebAssembly.Memory) => K {
  checkKernels();
  const code = new WebAssembly.Module(readFileSync(new URL(`${name}.wasm`, build)));
  return (memory) => new WebAssembly.Instance(code, { env: { memory } }).exports as K;
}
