/**
 * A kernel of assembly/, compiled on first use. Each call of the returned function instantiates it on a memory, without
 * state of other pictures. `K`: the functions that assembly/<name>.ts exports.
 * @param base64 the compiled kernel, from build/<name>.wasm.js
 */
export function loadKernel<K extends object>(base64: string): (memory: WebAssembly.Memory) => K {
  let code: WebAssembly.Module | undefined;
  return (memory) => {
    code ??= new WebAssembly.Module(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
    return new WebAssembly.Instance(code, { env: { memory } }).exports as K;
  };
}
