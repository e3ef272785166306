/** Compiled from assembly/<name>.ts by `npm run kernels`: the bytes of a WebAssembly module, in base64. */
declare module "*.wasm.js" {
  const base64: string;
  export default base64;
}
