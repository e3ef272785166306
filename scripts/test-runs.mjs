// Runs of the test runners, counted by their reports: for verify.mjs and verify-deep.mjs.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "./install.mjs";

/** More failures than this are no accidents of a busy machine, and are not run again. */
const mostRunAgain = 20;

/**
 * @typedef Run
 * @property {number} passed
 * @property {number} skipped
 * @property {string[]} failed names
 * @property {Map<string, number>} seconds of each file, which ran beside others
 * @property {(folder: string) => { passed: number, skipped: number, failed: string[] } | undefined} again runs what failed once more, alone;
 * its result takes the place of what failed. Undefined if there is nothing that could be run alone.
 */

/** Runs a runner. Returns its status, and its report if it wrote one. */
function report(args, path, env = {}) {
  rmSync(path, { force: true });
  const { status } = spawnSync("npx", args, { cwd: root, stdio: "inherit", env: { ...process.env, ...env } });
  return { status, found: existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined };
}

/** Runs what failed once more. What passes then is flaky. */
export function againAlone(run, folder) {
  const { passed, skipped, failed } = run;
  if (failed.length === 0 || failed.length > mostRunAgain) return { passed, skipped, failed, flaky: [] };
  const second = run.again(folder);
  if (!second) return { passed, skipped, failed, flaky: [] };
  return {
    passed: passed + second.passed,
    skipped: second.skipped,
    failed: second.failed,
    flaky: failed.filter((name) => !second.failed.includes(name)),
  };
}

// Vitest

const vitestReport = (folder, args) => {
  const path = join(folder, "vitest.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${path}`];
  return report(["vitest", "run", ...reporters, ...args], path);
};

/** The tests of a report by their files. A file that is in two projects has those of both. */
function filesOf({ testResults }) {
  const files = new Map();
  for (const { name, status, assertionResults, startTime, endTime } of testResults) {
    const path = relative(root, name);
    const file = files.get(path) ?? { path, isBroken: false, seconds: 0, tests: [] };
    files.set(path, file);
    file.seconds += (endTime - startTime) / 1000;
    const isAnyFailed = assertionResults.some((test) => test.status === "failed");
    file.isBroken ||= status === "failed" && !isAnyFailed;
    file.tests.push(...assertionResults);
  }
  return [...files.values()];
}

const passedOf = ({ tests }) => tests.filter(({ status }) => status === "passed").length;
const skippedOf = ({ tests }) => tests.filter(({ status }) => !["passed", "failed"].includes(status)).length;
/** The names of its failed tests, and its own if it failed outside them. */
const failedOf = ({ path, isBroken, tests }) => [
  ...new Set(tests.filter(({ status }) => status === "failed").map(({ fullName }) => `${path}: ${fullName}`)),
  ...(isBroken ? [path] : []),
];
const sumOf = (files, count) => files.reduce((sum, file) => sum + count(file), 0);

/** @returns {Run} */
export function runVitest(folder, args = []) {
  const { status, found } = vitestReport(folder, args);
  const files = found ? filesOf(found) : [];
  const failing = files.filter((file) => failedOf(file).length > 0);
  const isLost = !found || (status !== 0 && failing.length === 0);
  return {
    passed: sumOf(files, passedOf),
    skipped: sumOf(files, skippedOf),
    failed: isLost ? [`vitest ended with ${status}`] : failing.flatMap(failedOf),
    seconds: new Map(files.map(({ path, seconds }) => [path, seconds])),
    again: () =>
      isLost ? undefined : failing.map((file) => fileAgain(file, folder, args)).reduce(addRuns, rest(files)),
  };
}

/** What the files that did not fail skipped: it stays skipped. */
const rest = (files) => ({
  passed: 0,
  skipped: sumOf(
    files.filter((file) => failedOf(file).length === 0),
    skippedOf,
  ),
  failed: [],
});
const addRuns = (one, other) => ({
  passed: one.passed + other.passed,
  skipped: one.skipped + other.skipped,
  failed: [...one.failed, ...other.failed],
});

/** Runs the failed tests of a file; the whole file if it failed outside a test, or a failure made it skip others. */
function fileAgain(file, folder, args) {
  const isWhole = file.isBroken || skippedOf(file) > 0;
  const failing = file.tests.filter(({ status }) => status === "failed");
  const failed = failing.map(({ fullName }) => fullName);
  const escaped = failing.map(({ ancestorTitles, title }) =>
    [...ancestorTitles, title].map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join(" (?:> )?"),
  );
  const only = isWhole ? [] : ["-t", `(?:${escaped.join("|")})$`];
  const { status, found } = vitestReport(folder, [file.path, "--maxWorkers=1", ...args, ...only]);
  const second = found ? filesOf(found).find(({ path }) => path === file.path) : undefined;
  if (!second || (status !== 0 && failedOf(second).length === 0))
    return { passed: 0, skipped: 0, failed: failedOf(file) };
  if (isWhole)
    return { passed: passedOf(second) - passedOf(file), skipped: skippedOf(second), failed: failedOf(second) };
  const hasPassed = (name) => {
    const runs = second.tests.filter(({ fullName }) => fullName === name);
    return runs.length > 0 && runs.every(({ status }) => status === "passed");
  };
  const names = failed.filter((name) => !hasPassed(name)).map((name) => `${file.path}: ${name}`);
  return { passed: failed.filter(hasPassed).length, skipped: 0, failed: [...new Set(names)] };
}

// Playwright

const journeysReport = (folder, args) => {
  const path = join(folder, "journeys.json");
  return report(["playwright", "test", "--reporter=line,json", ...args], path, { PLAYWRIGHT_JSON_OUTPUT_NAME: path });
};

/** The failed tests of a Playwright suite, and of the suites inside it. */
const unexpectedIn = ({ file, suites = [], specs = [] }) => [
  ...specs.filter(({ ok }) => !ok).map(({ title }) => `${file}: ${title}`),
  ...suites.flatMap(unexpectedIn),
];

const secondsIn = ({ suites = [], specs = [] }) =>
  specs
    .flatMap(({ tests }) => tests.flatMap(({ results }) => results))
    .reduce((sum, { duration }) => sum + duration, 0) /
    1000 +
  suites.reduce((sum, suite) => sum + secondsIn(suite), 0);

/** @returns {Run} */
export function runJourneys(folder) {
  const { status, found } = journeysReport(folder, []);
  const failed = found ? found.suites.flatMap(unexpectedIn) : [];
  const isLost = !found || (status !== 0 && failed.length === 0);
  const skipped = found?.stats.skipped ?? 0;
  return {
    passed: found?.stats.expected ?? 0,
    skipped,
    failed: isLost ? [`playwright ended with ${status}`] : failed,
    seconds: new Map(found?.suites.map((suite) => [suite.file, secondsIn(suite)])),
    again() {
      if (isLost) return undefined;
      const { found: second } = journeysReport(folder, ["--last-failed", "--workers=1"]);
      // A rerun that found fewer tests than failed shows nothing of the others.
      const isComplete = second && second.stats.expected + second.stats.unexpected >= failed.length;
      return isComplete
        ? {
            passed: second.stats.expected,
            skipped: skipped + second.stats.skipped,
            failed: second.suites.flatMap(unexpectedIn),
          }
        : { passed: 0, skipped, failed };
    },
  };
}
