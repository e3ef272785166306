import { fileInRepository, type ModelRow } from "./row.ts";

/** Trained in this repository: training/README.md. Without `values`: float32 planes, RGB, 0..1. */
const own = {
  task: "upscale",
  licence: "MIT, as this repository",
  input: {
    name: "input",
    size: { kind: "free", multipleOf: 1 },
    mean: [0, 0, 0],
    deviation: [255, 255, 255],
  },
  // The arena reuses a tile's memory for the next tile: a fifth faster, and bounded because tiles are.
  keepsArena: true,
} as const satisfies Partial<ModelRow>;

const output = { name: "output", channels: 3, range: [0, 1] } as const;

/** 710,348 parameters. */
const x2 = { ...own, reachPx: 21, output: { ...output, scale: 2 } } as const;
/** 952,688 parameters. */
const x4 = { ...own, reachPx: 27, output: { ...output, scale: 4 } } as const;

/** What rows share that differ in their training only. The integers are of 8 bits, quantised. */
const integersX2 = { ...x2, sizeBytes: 755_503, values: "uint8", memoryMb: 400 } as const;
const integersX4 = { ...x4, sizeBytes: 1_011_761, values: "uint8", memoryMb: 400 } as const;
const floatsX2 = { ...x2, sizeBytes: 2_851_302, memoryMb: 900 } as const;
const floatsX4 = { ...x4, sizeBytes: 3_823_936, memoryMb: 900 } as const;

/**
 * One slot per factor, kind of picture and depth; `passesFor` composes the ids. On a GPU the floating-point networks
 * are preferable: an operator can configure those that end in "16bit" for the other slots.
 */
export const upscaleRows = {
  "upscale-x2": {
    ...integersX2,
    ...fileInRepository("upscale-x2.onnx"),
    name: "Upscale x2",
    sha256: "9bbe0c12c28ec13a2e4cc8d1d9386815bf117ae90184f2589b50d32e5e2bc1a5",
    // PSNR 37.57 dB on Set5, 33.28 dB on Set14.
  },
  "upscale-x2-16bit": {
    ...floatsX2,
    ...fileInRepository("upscale-x2-16bit.onnx"),
    name: "Upscale x2 in floating point",
    sha256: "896faa6ca96c878a9adb737453440b56b00d518e2d62b68d7b4a45318a8390a6",
    // PSNR 37.70 dB on Set5, 33.37 dB on Set14.
  },
  "upscale-x4": {
    ...integersX4,
    ...fileInRepository("upscale-x4.onnx"),
    name: "Upscale x4",
    sha256: "a3ba86f7690789ba64543db7334d210d17780c4f20904ea2864ef5e6a9cb2a36",
    // PSNR 31.78 dB on Set5, 28.33 dB on Set14.
  },
  "upscale-x4-16bit": {
    ...floatsX4,
    ...fileInRepository("upscale-x4-16bit.onnx"),
    name: "Upscale x4 in floating point",
    sha256: "a1d228f3bfc6fedb78572e5950fbe758edeaa5e083b5fe167ce8b39a6e84ea09",
    // PSNR 31.84 dB on Set5, 28.36 dB on Set14.
  },
  // Trained on blurred, noisy JPEGs of quality 25 to 95.
  "upscale-x2-compressed": {
    ...integersX2,
    ...fileInRepository("upscale-x2-compressed.onnx"),
    name: "Upscale x2, for compressed pictures",
    sha256: "9a6da34733d7e0a8a8c4aac8320374b425b92f3d1e2e63ca732d5f6f61b5135e",
    // PSNR 33.57 dB on Set5 through JPEG 75.
  },
  "upscale-x2-compressed-16bit": {
    ...floatsX2,
    ...fileInRepository("upscale-x2-compressed-16bit.onnx"),
    name: "Upscale x2 in floating point, for compressed pictures",
    sha256: "ce6d1f1fdfd2cc64357b19158ac41da7d64c2c657bdce60faf25ab2074013120",
    // PSNR 33.65 dB on Set5 through JPEG 75.
  },
  "upscale-x4-compressed": {
    ...integersX4,
    ...fileInRepository("upscale-x4-compressed.onnx"),
    name: "Upscale x4, for compressed pictures",
    sha256: "a8acea7533519426ea98d1b7388380edda9e1419b59ecd25044b4cdcffdd332a",
    // PSNR 29.02 dB on Set5 through JPEG 75.
  },
  "upscale-x4-compressed-16bit": {
    ...floatsX4,
    ...fileInRepository("upscale-x4-compressed-16bit.onnx"),
    name: "Upscale x4 in floating point, for compressed pictures",
    sha256: "d3811a827313ea5efad00476edb5f90f15b172f6abf456ef4555a795649f4700",
    // PSNR 29.06 dB on Set5 through JPEG 75.
  },
  // Fine-tuned for looks; downscaled again, the results match their sources at 52 dB.
  "upscale-x4-sharper": {
    ...integersX4,
    ...fileInRepository("upscale-x4-sharper.onnx"),
    name: "Upscale x4, sharper",
    sha256: "2a4a30c9c8bb61b9daf9220a164da8ffa567cc193e3dfe465db78f09844f1d99",
    // PSNR 30.20 dB on Set5, 27.26 dB on Set14.
  },
  "upscale-x4-sharper-16bit": {
    ...floatsX4,
    ...fileInRepository("upscale-x4-sharper-16bit.onnx"),
    name: "Upscale x4 in floating point, sharper",
    sha256: "1beedc8cc52d5f317834c65b8ea8e2758f669667664a8923dc003afb2d02f04d",
    // PSNR 30.43 dB on Set5, 27.43 dB on Set14.
  },
} as const satisfies Record<string, ModelRow>;
