import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Tests of the service: they run once, on PostgreSQL and Redis. */
const onServers = globSync("packages/server/src/{features,http}/**/*.test.ts");
/**
 * Those that also run on the embedded database and queue: one or two for each way in which the features use them. Elsewhere on the embedded
 * ones: the ports (packages/server/src/platform), how the service is composed, moves of data, crashes and leases, which start their
 * own; and statements.test.ts, which compares the statements of both databases.
 */
const alsoEmbedded = [
  "accounts/accounts",
  "billing/billing",
  "credits/routes",
  "desk/figures",
  "invoices/invoices",
  "jobs/jobs",
  "jobs/race",
  "jobs/restart",
  "keys/keys",
  "recipes/recipes",
  "webhooks/webhooks",
].map((name) => `packages/server/src/features/${name}.test.ts`);
// On a machine without PostgreSQL: TINTYPE_TEST_BACKENDS=embedded npx vitest run packages/server/src/features/keys
const backendsOfService = process.env["TINTYPE_TEST_BACKENDS"] === "embedded" ? "embedded" : "postgres";

/** What a release needs and a commit does not: npm run verify:deep. */
const onlyDeep = globSync(["test/generators/*.test.ts", "test/packed/{frameworks,cli-on-a-bad-line}.test.ts"]);
/**
 * Files that run one after the other in a process that keeps its modules: loading them took a third of the run. Not those that change
 * what others share.
 */
const sharing = globSync(["packages/*/{src,app}/**/*.test.{ts,tsx}", "test/**/*.test.ts"]).filter(
  (path) =>
    !path.startsWith("test/fixtures/") &&
    !onlyDeep.includes(path) &&
    !/\bvi\.(mock|spyOn|stubEnv|stubGlobal|useFakeTimers)\b|process\.chdir|process\.env\[[^\]]+\] = /.test(
      readFileSync(path, "utf8"),
    ),
);
const isSharing = (path: string) => sharing.includes(path);
const isOnServers = (path: string) => onServers.includes(path);
const isDeep = process.env["TINTYPE_TEST_DEEP"] === "1";
/**
 * There with more: other releases of Node.js and TypeScript, all projects, real weights, more damage, more pictures and more settings
 * (testing/deep.ts).
 */
const alsoDeep = [
  "test/packed/*.test.ts",
  "test/tools/mcp.test.ts",
  "test/examples.test.ts",
  "test/add-operation.test.ts",
  "test/fuzz/mutated.test.ts",
  "packages/imaging/src/operations/{compress,compress-quality,lower-quality,max-bytes,test-mark}.test.ts",
  "packages/imaging/src/imaging-{metadata,density}.test.ts",
  "packages/imaging/src/formats/{damaged,png/fit,png/read}.test.ts",
];
/** There with every kill and more jobs. Where a commit ends a service in the test's own process, a process is killed (testing/killable-service.ts). */
const everyKill = [
  "packages/server/src/features/billing/interrupted.test.ts",
  "packages/server/src/features/desk/killed.test.ts",
  "packages/server/src/features/jobs/{cluster,crash,race}.test.ts",
];

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
  // Limits are for what hangs. Many tests start the whole service, and a busy machine gives its engines, which are niced, little time.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  // Of its own `expect.poll` gives up after one second.
  expect: { poll: { timeout: 120_000 } },
  execArgv: ["--import", new URL("packages/server/src/platform/db/resolve-drizzle.ts", import.meta.url).href],
};

type Files = { include: string[]; exclude?: string[]; isSharing: boolean };
const embedded = (name: string, { include, exclude = [], isSharing }: Files) => ({
  resolve,
  test: {
    ...common,
    name,
    isolate: !isSharing,
    include,
    exclude: [...excluded, ...exclude],
    env: { TINTYPE_TEST_BACKENDS: "embedded" },
  },
});
const service = (name: string, files: Files) => {
  const { test } = embedded(name, files);
  return {
    resolve,
    test: {
      ...test,
      env: { TINTYPE_TEST_BACKENDS: backendsOfService },
      globalSetup: "test/global-setup-of-servers.ts",
    },
  };
};

const ofEachCommit = [
  embedded("alone", {
    include: ["packages/**/*.test.{ts,tsx}", "test/**/*.test.ts"],
    exclude: [...sharing, ...onServers, ...onlyDeep],
    isSharing: false,
  }),
  embedded("sharing", { include: sharing.filter((path) => !isOnServers(path)), isSharing: true }),
  service("servers", { include: onServers.filter(isSharing), isSharing: true }),
  service("servers alone", { include: onServers.filter((path) => !isSharing(path)), isSharing: false }),
  // Where the service itself is asked for on the embedded ones, this would be the same again.
  ...(backendsOfService === "embedded" ? [] : [embedded("embedded", { include: alsoEmbedded, isSharing: true })]),
];
const ofRelease = [
  embedded("deep", { include: [...onlyDeep, ...alsoDeep], isSharing: false }),
  service("every kill", { include: everyKill, isSharing: false }),
];

export default defineConfig({
  test: {
    // One more than there are cores: some tests wait for a lease, a lock or a process to end. Two more took longer in all.
    maxWorkers: availableParallelism() + 1,
    globalSetup: "test/global-setup.ts",
    // `npm run check` runs what a change can break; after one of this file, or of a package.json, that would be everything.
    forceRerunTriggers: [],
    coverage: { provider: "v8", include: ["packages/*/{src,app}/**/*.{ts,tsx}"] },
    projects: isDeep ? ofRelease : ofEachCommit,
  },
});
