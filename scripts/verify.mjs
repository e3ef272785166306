// npm run verify: installs what the checks need and passes every one of them.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { install, needPackage, root, run } from "./install.mjs";

needPackage("chromium", () => Boolean(process.env.CHROMIUM) || existsSync("/usr/bin/chromium"));
needPackage("postgresql", () => existsSync("/usr/lib/postgresql") && readdirSync("/usr/lib/postgresql").length > 0);
needPackage("bubblewrap", () => process.platform !== "linux" || existsSync("/usr/bin/bwrap"));
needPackage("redis-server", () => existsSync("/usr/bin/redis-server"));
install();
// The tests cut pictures out with the real weights. They are fetched once, and lie where `npm ci` leaves them alone.
run("npm", ["run", "models", "--silent"]);
run("npm", ["run", "build", "--silent"]);
for (const check of ["lint", "typecheck", "knip"]) run("npm", ["run", check, "--silent"]);

/** Runs a test runner and answers how many tests it says passed, failed and were skipped. */
function count(args, reportFile, read) {
  const { status } = spawnSync("npx", args, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...reportFile.env },
  });
  if (!existsSync(reportFile.path)) return { passed: 0, failed: 1, skipped: 0 };
  const counted = read(JSON.parse(readFileSync(reportFile.path, "utf8")));
  return status === 0 ? counted : { ...counted, failed: Math.max(1, counted.failed) };
}

const folder = mkdtempSync(join(tmpdir(), "tintype-verify-"));
const vitest = (name, env) =>
  count(
    ["vitest", "run", "--reporter=default", "--reporter=json", `--outputFile.json=${join(folder, name)}`],
    { path: join(folder, name), env },
    (report) => ({
      passed: report.numPassedTests,
      failed: report.numFailedTests + report.numFailedTestSuites,
      skipped: report.numPendingTests + report.numTodoTests,
    }),
  );
const unit = vitest("unit.json", {});
const onServers = vitest("on-servers.json", { TINTYPE_TEST_BACKENDS: "postgres" });
const journeys = count(
  ["playwright", "test", "--reporter=line,json"],
  { path: join(folder, "journeys.json"), env: { PLAYWRIGHT_JSON_OUTPUT_NAME: join(folder, "journeys.json") } },
  ({ stats }) => ({ passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped }),
);
rmSync(folder, { recursive: true, force: true });

const [passed, failed, skipped] = ["passed", "failed", "skipped"].map(
  (key) => unit[key] + onServers[key] + journeys[key],
);
if (skipped > 0) console.log(`${skipped} tests were skipped; a skipped test counts as failed.`);
console.log(`${passed} passed, ${failed + skipped} failed`);
process.exit(failed + skipped > 0 ? 1 : 0);
