// Compiled before the first test, where they are not up to date.
import "../scripts/build-kernels.mjs";
import { makeBackends } from "../packages/server/src/testing/backends.ts";
import { makeSnapshot } from "../packages/server/src/testing/snapshot.ts";

/** Vitest wants a default export; what it answers is called at the end of the run. */
export default async function setUp(): Promise<() => Promise<void>> {
  const ends = await Promise.all([makeSnapshot(), makeBackends()]);
  return async () => {
    for (const end of ends) await end();
  };
}
