export { applyPalette, indexPixels } from "./apply-palette.ts";
export { toPlace } from "./colour-space.ts";
export { exactPalette, findPalette } from "./find-palette.ts";
export { colourHistogram, type Histogram, unpackColour, wholeHistogram } from "./histogram.ts";
export { depthFor, packIndices } from "./pack-indices.ts";
export { type Palette, quantizeColours } from "./quantize-colours.ts";
