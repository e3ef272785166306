// Compiled before the first test, where they are not up to date.
import "../scripts/build-kernels.mjs";

// Vitest wants a default export.
export { makeSnapshot as default } from "../packages/server/src/testing/snapshot.ts";
