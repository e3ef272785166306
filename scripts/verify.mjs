// npm run verify: installs what the checks need and runs all of them.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { install, needPackage, runTogether } from "./install.mjs";
import { againAlone, runJourneys, runVitest } from "./test-runs.mjs";

/** Seconds by the name of each stage. */
const stages = new Map();
async function stage(name, work) {
  const start = performance.now();
  const result = await work();
  stages.set(name, Math.round((performance.now() - start) / 1000));
  return result;
}

needPackage("chromium", () => Boolean(process.env.CHROMIUM) || existsSync("/usr/bin/chromium"));
needPackage(
  "chromium-headless-shell",
  () => Boolean(process.env.CHROMIUM) || existsSync("/usr/bin/chromium-headless-shell"),
);
needPackage("postgresql", () => existsSync("/usr/lib/postgresql") && readdirSync("/usr/lib/postgresql").length > 0);
needPackage("bubblewrap", () => process.platform !== "linux" || existsSync("/usr/bin/bwrap"));
needPackage("redis-server", () => existsSync("/usr/bin/redis-server"));
for (const [name, path] of [
  ["nginx", "/usr/sbin/nginx"],
  ["caddy", "/usr/bin/caddy"],
  ["openssl", "/usr/bin/openssl"],
  // For the examples of the API reference.
  ["python3", "/usr/bin/python3"],
  ["php-cli", "/usr/bin/php"],
  ["golang-go", "/usr/bin/go"],
])
  needPackage(name, () => existsSync(path));
needPackage(
  "php-curl",
  () => spawnSync("/usr/bin/php", ["-r", "exit(extension_loaded('curl') ? 0 : 1);"]).status === 0,
);
await stage("install", install);
// The tests cut out pictures with the real weights. They are downloaded once, to a folder that `npm ci` leaves alone.
await stage("models and build", () => runTogether("models", "build"));
await stage("lint, types, unused code, audit", () => runTogether("lint", "typecheck", "knip", "audit"));

const folder = mkdtempSync(join(tmpdir(), "tintype-verify-"));
const first = [await stage("tests", () => runVitest(folder)), await stage("journeys", () => runJourneys(folder))];
const runs = await stage("failed tests again, alone", () => first.map((run) => againAlone(run, folder)));
rmSync(folder, { recursive: true, force: true });

const passed = runs.reduce((sum, run) => sum + run.passed, 0);
const skipped = runs.reduce((sum, run) => sum + run.skipped, 0);
const failed = runs.flatMap((run) => run.failed);
const flaky = runs.flatMap((run) => run.flaky);
const slowest = first.flatMap(({ seconds }) => [...seconds]).sort(([, a], [, b]) => b - a);
for (const [name, seconds] of slowest.slice(0, 20))
  console.log(`${String(Math.round(seconds)).padStart(5)} s  ${name}`);
for (const [name, seconds] of stages) console.log(`${String(seconds).padStart(5)} s  ${name}`);
for (const name of failed) console.log(`failed: ${name}`);
if (skipped > 0) console.log(`${skipped} tests were skipped; a skipped test counts as failed.`);
for (const name of flaky) console.log(`flaky: ${name}`);
console.log(`${passed} passed, ${failed.length + skipped} failed`);
process.exit(failed.length + skipped > 0 ? 1 : 0);
