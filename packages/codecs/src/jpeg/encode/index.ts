export { encodePixels } from "./encode-pixels.ts";
export type { QuantizeOptions } from "./quantize-picture.ts";
export { type Quantizer, quantizerFor } from "./quantizer.ts";
