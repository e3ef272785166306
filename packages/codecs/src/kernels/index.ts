export { startClampToSource } from "./clamp-to-source.ts";
export { colourGroup, fullLight, fullWeight, greyGroup, lights, tablesEnd, values } from "./layout/shrink.ts";
export { createMemoryLayout, kernelMemory } from "./memory.ts";
export { startShrink } from "./shrink.ts";
