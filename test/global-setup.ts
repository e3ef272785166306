// Compiles the kernels before the first test if they are out of date.
import "../scripts/build-kernels.mjs";
import { makeCompileCache } from "../packages/server/src/testing/compile-cache.ts";
import { makeSnapshot } from "../packages/server/src/testing/snapshot.ts";

/** Vitest requires a default export and calls the returned function at the end of the run. */
export default async function setUp(): Promise<() => Promise<void>> {
  const ends = [makeCompileCache(), await makeSnapshot()];
  return async () => {
    for (const end of ends) await end();
  };
}
