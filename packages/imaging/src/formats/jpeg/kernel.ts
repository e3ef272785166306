import { compileKernel, startKernel } from "../../kernels/start.ts";

/** The functions of kernels/assembly/jpeg-planes.ts. Addresses and lengths are bytes. */
type PlanesKernel = {
  splitColours(from: number, end: number, blue: number, red: number): void;
  splitGrey(from: number, end: number, luma: number): void;
  splitLuma(from: number, end: number, blue: number, red: number, luma: number): void;
  extendRow(from: number, end: number): void;
  halveRows(upper: number, lower: number, end: number, to: number): void;
  raiseRow(near: number, far: number, end: number, to: number): void;
  measureRow(plane: number, stride: number, end: number, floor: number, to: number): void;
};

/** The functions of kernels/assembly/jpeg-blocks.ts. */
type BlocksKernel = {
  quantizeRow(
    plane: number,
    stride: number,
    blocks: number,
    table: number,
    liveliness: number,
    restored: number,
    to: number,
  ): number;
};

/** The functions of kernels/assembly/jpeg-scans.ts; `to` is 0 where symbols are only counted. */
type ScansKernel = {
  means(from: number, end: number, low: number, to: number): number;
  firstBits(from: number, end: number, first: number, final: number, low: number, to: number): number;
  nextBit(from: number, end: number, first: number, final: number, low: number, to: number): number;
  endScan(to: number): number;
};

const planesCode = compileKernel("jpeg-planes");
const blocksCode = compileKernel("jpeg-blocks");
const scansCode = compileKernel("jpeg-scans");

export const startPlanes = (memory: WebAssembly.Memory) => startKernel<PlanesKernel>(planesCode, memory);
export const startBlocks = (memory: WebAssembly.Memory) => startKernel<BlocksKernel>(blocksCode, memory);
export const startScans = (memory: WebAssembly.Memory) => startKernel<ScansKernel>(scansCode, memory);
