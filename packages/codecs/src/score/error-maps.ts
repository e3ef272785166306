import code from "../kernels/build/compare-planes.wasm.js";
import { loadKernel } from "../kernels/load-kernel.ts";
import { createMemoryLayout } from "../kernels/memory.ts";
import { gaussianHalfKernel } from "./gaussian.ts";

/**
 * The differences between two planes, each as a mean and as a fourth norm: structure lost (1 - SSIM), artefacts added
 * (ringing, blocking, banding), detail lost (blur).
 */
export type PlaneErrors = { structure: Norms; edgesCame: Norms; edgesWent: Norms };
export type Norms = [mean: number, fourth: number];

type Weights = [number, number, number, number, number];

/** The functions of kernels/assembly/compare-planes.ts. */
type CompareKernel = {
  fillMaps(a: number, b: number, width: number, maps: number, stride: number): void;
  blurAcross(maps: number, to: number, stride: number, ...weights: Weights): void;
  blurDown(rows: number, to: number, stride: number, ...weights: Weights): void;
  addErrors(a: number, b: number, width: number, maps: number, stride: number, sums: number): void;
};

const startKernel = loadKernel<CompareKernel>(code);
/** Five weights, as the kernel takes them. */
const weights = gaussianHalfKernel(1.5) as Weights;
/** The blur's radius, in samples. */
const reach = weights.length - 1;
/** The maps that are blurred to compare two planes: both planes, their squares, and their product. */
const mapCount = 5;

type ComparePlanes = (reference: Float32Array, distorted: Float32Array) => PlaneErrors;

/**
 * Compares planes of this size, one pair after the other in the same memory. Streams row by row: memory holds nine
 * blurred rows instead of ten planes.
 */
export function planeComparer({ width, height }: { width: number; height: number }): ComparePlanes {
  const planeBytes = 4 * width * height;
  const stride = (Math.ceil(width / 4) + 4) * 16;
  const layout = createMemoryLayout();
  const [a, b] = [layout.take(planeBytes), layout.take(planeBytes)];
  const [maps, blurred, outside] = [1, 2, 3].map(() => layout.take(stride * mapCount)) as [number, number, number];
  const ring = Array.from({ length: 2 * reach + 1 }, () => layout.take(stride * mapCount));
  const rows = layout.take(4 * ring.length);
  const sums = layout.take(8 * 6);
  const memory = layout.allocate();
  const kernel = startKernel(memory);
  const addresses = new Uint32Array(memory.buffer, rows);
  const found = new Float64Array(memory.buffer, sums, 6);
  const load = (y: number) => {
    const offset = 4 * y * width;
    kernel.fillMaps(a + offset, b + offset, width, maps, stride);
    kernel.blurAcross(maps, ring[y % ring.length] as number, stride, ...weights);
  };
  // Beyond the picture samples are 0, as in the reference implementation: the kernel is truncated, not renormalised.
  const rowAt = (y: number) => (y < 0 || y >= height ? outside : (ring[y % ring.length] as number));
  const norms = (i: number): Norms => [
    (found[i] as number) / (width * height),
    ((found[i + 1] as number) / (width * height)) ** 0.25,
  ];
  return (reference, distorted) => {
    new Float32Array(memory.buffer, a).set(reference);
    new Float32Array(memory.buffer, b).set(distorted);
    found.fill(0);
    for (let y = 0; y < Math.min(reach, height); y++) load(y);
    for (let y = 0; y < height; y++) {
      if (y + reach < height) load(y + reach);
      for (let i = 0; i < ring.length; i++) addresses[i] = rowAt(y + i - reach);
      kernel.blurDown(rows, blurred, stride, ...weights);
      const offset = 4 * y * width;
      kernel.addErrors(a + offset, b + offset, width, blurred, stride, sums);
    }
    return { structure: norms(0), edgesCame: norms(2), edgesWent: norms(4) };
  };
}
