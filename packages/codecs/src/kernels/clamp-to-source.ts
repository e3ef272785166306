import code from "./build/clamp-to-source.wasm.js";
import { loadKernel } from "./load-kernel.ts";

/** The functions of assembly/clamp-to-source.ts. Addresses and lengths are bytes. */
type ClampKernel = {
  bound(above: number, row: number, below: number, end: number, step: number, slack: number, ...to: Bounds): void;
  clamp(row: number, end: number, ...rest: [...bounds: Bounds, ...spread: Bounds, advance: number]): void;
};
type Bounds = [number, number];

export const startClampToSource = loadKernel<ClampKernel>(code);
