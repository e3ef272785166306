// Vitest wants a default export.
export { makeSnapshot as default } from "../packages/server/src/testing/snapshot.ts";
