export { createDeflater, deflaterLayout } from "./deflate.ts";
export { deflateOptimally, evenEffort, type ParseEffort, parseEffort } from "./optimal-deflate.ts";
export { type Prediction, quantizeSamples } from "./quantize-samples.ts";
