// npm run verify: installs what the checks need and runs all of them.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { install, needPackage, root, runTogether } from "./install.mjs";

needPackage("chromium", () => Boolean(process.env.CHROMIUM) || existsSync("/usr/bin/chromium"));
needPackage("postgresql", () => existsSync("/usr/lib/postgresql") && readdirSync("/usr/lib/postgresql").length > 0);
needPackage("bubblewrap", () => process.platform !== "linux" || existsSync("/usr/bin/bwrap"));
needPackage("redis-server", () => existsSync("/usr/bin/redis-server"));
for (const [name, path] of [
  ["nginx", "/usr/sbin/nginx"],
  ["caddy", "/usr/bin/caddy"],
  ["openssl", "/usr/bin/openssl"],
])
  needPackage(name, () => existsSync(path));
install();
// The tests cut out pictures with the real weights. They are downloaded once, to a folder that `npm ci` leaves alone.
await runTogether("models", "build");
await runTogether("lint", "typecheck", "knip", "audit");

/** Runs a test runner and returns how many tests passed and were skipped by its report, and the names of those that failed. */
function count(args, reportFile, read) {
  const { status } = spawnSync("npx", args, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...reportFile.env },
  });
  if (!existsSync(reportFile.path)) return { passed: 0, failed: [args.join(" ")], skipped: 0 };
  const counted = read(JSON.parse(readFileSync(reportFile.path, "utf8")));
  return status === 0 || counted.failed.length > 0 ? counted : { ...counted, failed: [args.join(" ")] };
}

/** The failed tests of a vitest file, or the file itself if it failed before any test. */
function failedIn({ name, status, assertionResults }) {
  const failed = assertionResults.filter((test) => test.status === "failed");
  const path = relative(root, name);
  if (failed.length === 0) return status === "failed" ? [path] : [];
  return failed.map(({ fullName }) => `${path}: ${fullName}`);
}

/** The failed tests of a Playwright suite, and of the suites inside it. */
const unexpectedIn = ({ file, suites = [], specs = [] }) => [
  ...specs.filter(({ ok }) => !ok).map(({ title }) => `${file}: ${title}`),
  ...suites.flatMap(unexpectedIn),
];

const folder = mkdtempSync(join(tmpdir(), "tintype-verify-"));
const vitest = (name, env) =>
  count(
    ["vitest", "run", "--reporter=default", "--reporter=json", `--outputFile.json=${join(folder, name)}`],
    { path: join(folder, name), env },
    (report) => ({
      passed: report.numPassedTests,
      failed: report.testResults.flatMap(failedIn),
      skipped: report.numPendingTests + report.numTodoTests,
    }),
  );
const unit = vitest("unit.json", {});
const onServers = vitest("on-servers.json", { TINTYPE_TEST_BACKENDS: "postgres" });
const journeys = count(
  ["playwright", "test", "--reporter=line,json"],
  { path: join(folder, "journeys.json"), env: { PLAYWRIGHT_JSON_OUTPUT_NAME: join(folder, "journeys.json") } },
  ({ stats, suites }) => ({ passed: stats.expected, failed: suites.flatMap(unexpectedIn), skipped: stats.skipped }),
);
rmSync(folder, { recursive: true, force: true });

const runs = [unit, onServers, journeys];
const sum = (key) => runs.reduce((all, counted) => all + counted[key], 0);
const failed = runs.flatMap((counted) => counted.failed);
const skipped = sum("skipped");
for (const name of failed) console.log(`failed: ${name}`);
if (skipped > 0) console.log(`${skipped} tests were skipped; a skipped test counts as failed.`);
console.log(`${sum("passed")} passed, ${failed.length + skipped} failed`);
process.exit(failed.length + skipped > 0 ? 1 : 0);
