import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

/** @throws if the kernels of the codecs are not compiled, with a message for the operator */
export function checkKernels(folder: URL = builtKernels()): void {
  // The build writes this file last.
  if (!existsSync(new URL("made-from", folder)))
    throw new Error("The WebAssembly kernels are not built. Please run: npm run build");
}

/** The compiled kernels stand beside the module that exports them, which is not loaded for this. */
const builtKernels = () =>
  new URL("./build/", pathToFileURL(createRequire(import.meta.url).resolve("@tintype/codecs/kernels")));
