import { readFileSync } from "node:fs";

/** Code of a .wasm file, compiled and without state: each picture gets an instance and a memory of its own. */
export const compileKernel = (file: URL): WebAssembly.Module => new WebAssembly.Module(readFileSync(file));

/** An instance that works on the memory. Its exports are `K`, the functions that the .wat beside its file describes. */
export const startKernel = <K extends object>(code: WebAssembly.Module, memory: WebAssembly.Memory): K =>
  new WebAssembly.Instance(code, { picture: { memory } }).exports as K;
