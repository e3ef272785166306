import type { ModelRow } from "./row.ts";

/** Trained in this repository: training/README.md. Without values: float32 planes, RGB, 0..1. */
const own = {
  task: "upscale",
  licence: "MIT, as this repository",
  input: {
    name: "input",
    size: { kind: "free", multipleOf: 1 },
    mean: [0, 0, 0],
    deviation: [255, 255, 255],
  },
  // The arena keeps a tile's memory for the next tile: a fifth faster, and bounded because tiles are.
  keepsArena: true,
} as const satisfies Partial<ModelRow>;

const output = { name: "output", channels: 3, range: [0, 1] } as const;

/**
 * One place for each factor, kind of picture and depth; `passesFor` puts the names together. A GPU wants the networks in floating point: an operator puts those that end in "16bit" in the
 * places of the others.
 */
export const upscaleRows = {
  // In 8 bit integers; those for x4, which are quicker a pixel of result, give the mean of the picture upright and upside
  // down (training/README.md).
  "upscale-x2": {
    ...own,
    name: "Upscale x2",
    fileName: "upscale-x2.onnx",
    sha256: "4aeaa44fdf7e6caf3dce3338a1da08049782554cae9649cf5d0938bc1997fd44",
    sizeBytes: 520_895,
    source: { kind: "repository", file: "upscale-x2.onnx" },
    values: "uint8",
    reachPx: 15,
    output: { ...output, scale: 2 },
    memoryMb: 400,
    // 488,780 parameters; PSNR 37.43 dB on Set5, 33.12 dB on Set14.
  },
  "upscale-x2-16bit": {
    ...own,
    name: "Upscale x2 in floating point",
    fileName: "upscale-x2-16bit.onnx",
    sha256: "f82ee176fa0e36b168cff39e58969987f35238560c8b456799d72ce47f894544",
    sizeBytes: 1_962_189,
    source: { kind: "repository", file: "upscale-x2-16bit.onnx" },
    reachPx: 15,
    output: { ...output, scale: 2 },
    memoryMb: 900,
    // 488,780 parameters; PSNR 37.54 dB on Set5, 33.17 dB on Set14.
  },
  "upscale-x4": {
    ...own,
    name: "Upscale x4",
    fileName: "upscale-x4.onnx",
    sha256: "6fe8afa44e81567f9c979960562ae7191f81337f3a8b2018442c93e3d7db1894",
    sizeBytes: 543_929,
    source: { kind: "repository", file: "upscale-x4.onnx" },
    values: "uint8",
    reachPx: 15,
    output: { ...output, scale: 4 },
    memoryMb: 400,
    // 509,552 parameters; PSNR 31.59 dB on Set5, 28.28 dB on Set14.
  },
  "upscale-x4-16bit": {
    ...own,
    name: "Upscale x4 in floating point",
    fileName: "upscale-x4-16bit.onnx",
    sha256: "20ef37bb67c5a19b8ccf1c424aed62bb1c1c69071cffef2c4b01582c5de07418",
    sizeBytes: 2_045_711,
    source: { kind: "repository", file: "upscale-x4-16bit.onnx" },
    reachPx: 15,
    output: { ...output, scale: 4 },
    memoryMb: 900,
    // 509,552 parameters; PSNR 31.51 dB on Set5, 28.24 dB on Set14.
  },
  // From blurred, noisy JPEGs of quality 25 to 95.
  "upscale-x2-compressed": {
    ...own,
    name: "Upscale x2, for compressed pictures",
    fileName: "upscale-x2-compressed.onnx",
    sha256: "ece61819b06b9b53a499dafdf14f5c4b8e476c4fde1cd93b3351f49749cb2896",
    sizeBytes: 520_895,
    source: { kind: "repository", file: "upscale-x2-compressed.onnx" },
    values: "uint8",
    reachPx: 15,
    output: { ...output, scale: 2 },
    memoryMb: 400,
    // 488,780 parameters; PSNR 33.37 dB on Set5 through JPEG 75.
  },
  "upscale-x2-compressed-16bit": {
    ...own,
    name: "Upscale x2 in floating point, for compressed pictures",
    fileName: "upscale-x2-compressed-16bit.onnx",
    sha256: "9c04cf995c4e9258be917cbeb1e7b30648b133efa317870d0884aa75616b4e3a",
    sizeBytes: 1_962_189,
    source: { kind: "repository", file: "upscale-x2-compressed-16bit.onnx" },
    reachPx: 15,
    output: { ...output, scale: 2 },
    memoryMb: 900,
    // 488,780 parameters; PSNR 33.44 dB on Set5 through JPEG 75.
  },
  "upscale-x4-compressed": {
    ...own,
    name: "Upscale x4, for compressed pictures",
    fileName: "upscale-x4-compressed.onnx",
    sha256: "07000bb98316ad96d4ab5616621bbd15531b35fce4056ac709dda11be3d3762b",
    sizeBytes: 543_317,
    source: { kind: "repository", file: "upscale-x4-compressed.onnx" },
    values: "uint8",
    reachPx: 15,
    output: { ...output, scale: 4 },
    memoryMb: 400,
    // 509,552 parameters; PSNR 28.81 dB on Set5 through JPEG 75.
  },
  "upscale-x4-compressed-16bit": {
    ...own,
    name: "Upscale x4 in floating point, for compressed pictures",
    fileName: "upscale-x4-compressed-16bit.onnx",
    sha256: "1f6c56693635c82040f7a4c020bcbcfaa0a35955044f387836212cfd94608932",
    sizeBytes: 2_045_711,
    source: { kind: "repository", file: "upscale-x4-compressed-16bit.onnx" },
    reachPx: 15,
    output: { ...output, scale: 4 },
    memoryMb: 900,
    // 509,552 parameters; PSNR 28.79 dB on Set5 through JPEG 75.
  },
} as const satisfies Record<string, ModelRow>;
