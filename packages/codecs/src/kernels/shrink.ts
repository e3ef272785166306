import code from "./build/shrink.wasm.js";
import { loadKernel } from "./load-kernel.ts";

/** The functions of assembly/shrink.ts. Addresses and lengths are bytes. */
type ShrinkKernel = {
  loadOpaque(upper: number, lower: number, to: number, end: number): void;
  loadAlpha(upper: number, lower: number, to: number, end: number): void;
  blendRows(rows: number, pairs: number, weights: number, to: number, end: number): void;
  acrossOne: Across;
  acrossThree: Across;
  acrossFour: Across;
};
type Across = (row: number, starts: number, weights: number, groups: number, to: number, end: number) => void;

export const startShrink = loadKernel<ShrinkKernel>(code);
