import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const all = ["packages/**/*.test.{ts,tsx}", "test/**/*.test.ts"];
/** npm run test:cluster: tests that start the service, now on PostgreSQL and Redis. The others are the same in both runs. */
const isOnServers = process.env["TINTYPE_TEST_BACKENDS"] === "postgres";
const startingService = () =>
  globSync("packages/server/src/{features,http}/**/*.test.ts").filter((path) =>
    readFileSync(path, "utf8").includes("startTestApp"),
  );

const sourceOfClient = (name: string) => fileURLToPath(new URL(`packages/client/src/${name}`, import.meta.url));

export default defineConfig({
  // The package itself leads to what is built of it.
  resolve: {
    alias: [
      { find: "@tintype/client/core", replacement: sourceOfClient("core.ts") },
      { find: "@tintype/client", replacement: sourceOfClient("node.ts") },
    ],
  },
  test: {
    // CI has two slow cores, and many tests start the whole service.
    testTimeout: 60_000,
    hookTimeout: 90_000,
    // Of its own `expect.poll` gives up after one second, which a loaded machine needs for a picture.
    expect: { poll: { timeout: 20_000 } },
    // Of its own it would leave a core free, which is half of what CI has: 10 minutes in place of 6.
    maxWorkers: "100%",
    execArgv: ["--import", new URL("packages/server/src/platform/db/resolve-drizzle.ts", import.meta.url).href],
    globalSetup: "test/global-setup.ts",
    include: isOnServers ? startingService() : all,
    // By hand: npm run firebase.
    exclude: ["**/node_modules/**", "test/fixtures/**", "**/*.emulator.test.ts"],
    coverage: { provider: "v8", include: ["packages/*/{src,app}/**/*.{ts,tsx}"] },
  },
});
