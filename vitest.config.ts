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

const included = isOnServers ? startingService() : all;

/**
 * Files that run one after the other in a process that keeps its modules: loading them took a third of the run. Not those that change
 * what others share, nor those of components, which share one document.
 */
const sharing = globSync("packages/{contract,imaging,server}/src/**/*.test.ts").filter(
  (path) =>
    !/\bvi\.(mock|spyOn|stubEnv|stubGlobal|useFakeTimers)\b|process\.chdir|process\.env\[[^\]]+\] = /.test(
      readFileSync(path, "utf8"),
    ),
);
// By hand: npm run firebase.
const excluded = ["**/node_modules/**", "test/fixtures/**", "**/*.emulator.test.ts"];

const sourceOfClient = (name: string) => fileURLToPath(new URL(`packages/client/src/${name}`, import.meta.url));

// The package itself leads to what is built of it.
const resolve = {
  alias: [
    { find: "@tintype/client/core", replacement: sourceOfClient("core.ts") },
    { find: "@tintype/client", replacement: sourceOfClient("node.ts") },
  ],
};

const common = {
  // CI has two slow cores, and many tests start the whole service.
  testTimeout: 60_000,
  hookTimeout: 90_000,
  // Of its own `expect.poll` gives up after one second, which a loaded machine needs for a picture.
  expect: { poll: { timeout: 20_000 } },
  execArgv: ["--import", new URL("packages/server/src/platform/db/resolve-drizzle.ts", import.meta.url).href],
};

export default defineConfig({
  test: {
    // Of its own it would leave a core free, which is half of what CI has: 10 minutes in place of 6.
    maxWorkers: "100%",
    globalSetup: "test/global-setup.ts",
    coverage: { provider: "v8", include: ["packages/*/{src,app}/**/*.{ts,tsx}"] },
    projects: [
      {
        resolve,
        test: { ...common, name: "alone", include: included, exclude: [...excluded, ...sharing] },
      },
      {
        resolve,
        test: {
          ...common,
          name: "sharing",
          isolate: false,
          include: sharing.filter((path) => !isOnServers || included.includes(path)),
          exclude: excluded,
        },
      },
    ],
  },
});
