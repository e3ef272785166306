// Runs on whatever Node started npm, before anything is installed: plain JavaScript, no packages.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const root = join(import.meta.dirname, "..");
const stamp = join(root, "node_modules", ".tintype-installed");

export function run(command, args, options = {}) {
  const { status, signal } = spawnSync(command, args, { cwd: root, stdio: "inherit", ...options });
  if (status !== 0) {
    process.stderr.write(`\n${command} ${args.join(" ")} ended with ${signal ?? status}.\n`);
    process.exit(status ?? 1);
  }
}

/** Runs npm scripts in parallel, and resolves when all have succeeded. */
export async function runTogether(...scripts) {
  const ends = scripts.map(async (script) => {
    const started = spawn("npm", ["run", script, "--silent"], { cwd: root, stdio: "inherit" });
    const [status, signal] = await once(started, "exit");
    if (status !== 0) process.stderr.write(`\nnpm run ${script} ended with ${signal ?? status}.\n`);
    return status === 0;
  });
  if (!(await Promise.all(ends)).every(Boolean)) process.exit(1);
}

/** Installs the locked packages, unless this exact lockfile is already installed. */
export function install() {
  const lock = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  run("npm", ["ci", "--no-audit", "--no-fund"]);
  writeFileSync(stamp, lock);
}

const canInstall = () => process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");

/** Installs a Debian package if this runs as root on Debian; elsewhere prints what is missing. */
export function needPackage(name, isThere) {
  if (isThere()) return;
  if (!canInstall()) {
    process.stderr.write(
      `${name} is needed for the tests and is not installed. Install it and run npm run verify again.\n`,
    );
    process.exit(1);
  }
  run("apt-get", ["update", "-q"]);
  run("apt-get", ["install", "-y", "-q", "--no-install-recommends", name], aptOptions);
}

const aptOptions = { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } };

/** Bubblewrap, which a server running as root needs if only root may read this folder. Without it the server reports what is missing. */
export function tryBubblewrap() {
  if (process.platform !== "linux" || existsSync("/usr/bin/bwrap") || !canInstall()) return;
  const options = { stdio: "inherit", ...aptOptions };
  spawnSync("apt-get", ["update", "-q"], options);
  spawnSync("apt-get", ["install", "-y", "-q", "--no-install-recommends", "bubblewrap"], options);
}
