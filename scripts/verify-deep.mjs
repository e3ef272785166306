// npm run verify:deep: what a release needs and a commit does not. `npm run verify` first: it installs what this needs too.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./install.mjs";
import { againAlone, runJourneys, runVitest } from "./test-runs.mjs";

process.env.TINTYPE_TEST_DEEP = "1";
const folder = mkdtempSync(join(tmpdir(), "tintype-verify-deep-"));
const runs = [runVitest, runJourneys].map((run) => againAlone(run(folder), folder));
const passed = runs.reduce((sum, run) => sum + run.passed, 0);
const skipped = runs.reduce((sum, run) => sum + run.skipped, 0);
const failed = runs.flatMap((run) => run.failed);
const flaky = runs.flatMap((run) => run.flaky);
rmSync(folder, { recursive: true, force: true });
for (const script of ["fuzz", "check:containers"]) {
  const { status } = spawnSync("npm", ["run", script, "--silent"], { cwd: root, stdio: "inherit" });
  if (status !== 0) failed.push(`npm run ${script}`);
}
for (const name of failed) console.log(`failed: ${name}`);
if (skipped > 0) console.log(`${skipped} tests were skipped; a skipped test counts as failed.`);
for (const name of flaky) console.log(`flaky: ${name}`);
console.log(`${passed} passed, ${failed.length + skipped} failed`);
process.exit(failed.length + skipped > 0 ? 1 : 0);
