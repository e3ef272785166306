import { makeBackends } from "../packages/server/src/testing/backends.ts";

/** Starts PostgreSQL for the tests of the service. Vitest calls it only if such a test is part of the run, and requires a default export. */
export default async function setUp(): Promise<() => Promise<void>> {
  if (process.env["TINTYPE_TEST_BACKENDS"] === "embedded") return async () => {};
  return await makeBackends();
}
