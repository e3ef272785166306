export { applyPalette, indexPixels } from "./apply-palette.ts";
export { exactPalette, findPalette } from "./find-palette.ts";
export { colourHistogram, type Histogram, wholeHistogram } from "./histogram.ts";
export { depthFor, packIndices } from "./pack-indices.ts";
export type { Palette } from "./quantize-colours.ts";
