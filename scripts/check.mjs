// npm run check: lint, types, unused code, and the tests of what changed since `main`. With `-- --staged`, as a pre-commit hook, the
// tests of what is staged.
import { execFileSync, spawnSync } from "node:child_process";
import { root, runTogether } from "./install.mjs";

const isStaged = process.argv.includes("--staged");
await runTogether("lint", "typecheck", "knip");

const staged = () =>
  execFileSync("git", ["diff", "--cached", "--name-only", "--diff-filter=d"], { cwd: root, encoding: "utf8" })
    .split("\n")
    .filter((path) => /\.(?:tsx?|mjs)$/.test(path));
const tests = isStaged ? ["related", "--run", ...staged()] : ["run", "--changed", "main"];
if (isStaged && staged().length === 0) process.exit(0);
const { status } = spawnSync("npx", ["vitest", ...tests, "--passWithNoTests"], { cwd: root, stdio: "inherit" });
process.exit(status ?? 1);
