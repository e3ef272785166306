import jpegBlocksCode from "../../kernels/build/jpeg-blocks.wasm.js";
import jpegPlanesCode from "../../kernels/build/jpeg-planes.wasm.js";
import jpegScansCode from "../../kernels/build/jpeg-scans.wasm.js";
import { loadKernel } from "../../kernels/load-kernel.ts";

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

export const startPlanes = loadKernel<PlanesKernel>(jpegPlanesCode);
export const startBlocks = loadKernel<BlocksKernel>(jpegBlocksCode);
export const startScans = loadKernel<ScansKernel>(jpegScansCode);
