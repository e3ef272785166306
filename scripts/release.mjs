// npm run release -- [--dry-run]: publishes the packages of the version in package.json, and writes dist/notes.md for the release's page.
// .github/workflows/release.yml runs it on a tag, after `npm run verify`. With --dry-run nothing is sent.
import { execFileSync, spawnSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { notesOf } from "./release-notes.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({ options: { "dry-run": { type: "boolean", default: false } } });
const isDry = values["dry-run"];
const npm = (args) => {
  const { status } = spawnSync("npm", args, { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new Error(`npm ${args.join(" ")} ended with ${status}.`);
};

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const tag =
  process.env.GITHUB_REF_NAME ??
  execFileSync("git", ["tag", "--points-at", "HEAD"], { cwd: root, encoding: "utf8" }).trim();
if (!isDry && tag !== `v${version}`) throw new Error(`The tag is ${tag || "missing"}; package.json says ${version}.`);
const notes = notesOf(readFileSync(join(root, "CHANGELOG.md"), "utf8"), version);

npm(["run", "pack"]);
writeFileSync(join(root, "dist/notes.md"), notes);
// Without the dot npm would take a path for a repository on GitHub.
const tarballs = globSync("dist/tintype-*.tgz", { cwd: root }).map((path) => `./${path}`);
for (const tarball of tarballs)
  npm(["publish", tarball, "--ignore-scripts", ...(isDry ? ["--dry-run"] : ["--provenance", "--access", "public"])]);
console.log(
  `${isDry ? "Would publish" : "Published"} ${tarballs.length} packages of ${version}; dist/notes.md has its notes.`,
);
