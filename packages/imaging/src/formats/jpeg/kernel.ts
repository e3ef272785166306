import { compileKernel, startKernel } from "../../kernels/start.ts";

/** The functions of kernels/assembly/jpeg-planes.ts. Addresses and lengths are bytes. */
type PlanesKernel = {
  splitColours(from: number, end: number, blue: number, red: number): void;
  splitGrey(from: number, end: number, luma: number): void;
  splitLuma(from: number, end: number, blue: number, red: number, luma: number): void;
  extendRow(from: number, end: number): void;
  downsampleRows(upper: number, lower: number, end: number, to: number): void;
  upsampleRow(near: number, far: number, end: number, to: number): void;
  measureActivity(plane: number, stride: number, end: number, floor: number, to: number): void;
};

/** The functions of kernels/assembly/jpeg-blocks.ts. */
type BlocksKernel = {
  quantizeRow(
    plane: number,
    stride: number,
    blocks: number,
    table: number,
    activity: number,
    restored: number,
    to: number,
  ): number;
};

/** The functions of kernels/assembly/jpeg-scans.ts. If `to` is 0 they only count symbols. */
type ScansKernel = {
  dcScan(from: number, end: number, al: number, to: number): number;
  acFirstScan(from: number, end: number, ss: number, se: number, al: number, to: number): number;
  acRefinementScan(from: number, end: number, ss: number, se: number, al: number, to: number): number;
  finishScan(to: number): number;
};

const planesCode = compileKernel("jpeg-planes");
const blocksCode = compileKernel("jpeg-blocks");
const scansCode = compileKernel("jpeg-scans");

export const startPlanes = (memory: WebAssembly.Memory) => startKernel<PlanesKernel>(planesCode, memory);
export const startBlocks = (memory: WebAssembly.Memory) => startKernel<BlocksKernel>(blocksCode, memory);
export const startScans = (memory: WebAssembly.Memory) => startKernel<ScansKernel>(scansCode, memory);
