// `npm run pack`: builds the published packages, and writes their tarballs to dist/.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "dist");
const names = ["@tintype/cli", "@tintype/client", "@tintype/mcp", "@tintype/unplugin"];

mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder)) if (/^tintype-.*[.]tgz$/.test(name)) rmSync(join(folder, name));
const places = names.flatMap((name) => ["--workspace", name]);
const npm = process.platform === "win32" ? "npm.cmd" : "npm";
const { status } = spawnSync(npm, ["pack", "--silent", "--pack-destination", folder, ...places], {
  cwd: root,
  stdio: ["ignore", "ignore", "inherit"],
  shell: process.platform === "win32",
});
for (const name of readdirSync(folder)) if (name.endsWith(".tgz")) console.log(join("dist", name));
process.exitCode = status ?? 1;
