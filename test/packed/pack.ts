import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isDeep } from "../../packages/server/src/testing/deep.ts";

const run = promisify(execFile);
const repository = fileURLToPath(new URL("../..", import.meta.url));

/** The environment without npm's and Vitest's variables, which would make a nested npm use the repository. */
export const plainEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !/^(npm_(lifecycle|package|command|execpath|node|config_(local_)?prefix)|VITEST|NODE_ENV$|TINTYPE_)/.test(name),
    ),
  );

export type Packed = {
  /** An otherwise empty folder into which the packages were installed from their tarballs. */
  folder: string;
  /** The tarballs, in the order of the names. */
  tarballs: string[];
  remove(): void;
};

/** Builds and packs packages of the workspace as `npm publish` does, and installs them as a user does. */
export async function installPacked(...names: string[]): Promise<Packed> {
  const folder = mkdtempSync(join(tmpdir(), "tintype-packed-"));
  const tarballs: string[] = [];
  for (const name of names) {
    const packing = ["pack", "--json", "--pack-destination", folder, "-w", name];
    const { stdout } = await run("npm", packing, { cwd: repository, env: plainEnvironment(), maxBuffer: 1e8 });
    // The build of `prepack` prints before npm's JSON.
    const [, file] = /"filename":\s*"([^"]+)"/.exec(stdout) ?? [];
    if (!file) throw new Error(`npm packed nothing for ${name}: ${stdout}`);
    tarballs.push(join(folder, file));
  }
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  await npmInstall(folder, tarballs);
  return { folder, tarballs, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * Puts an `npx` into a folder of the PATH that runs the installed command in place of the package it is given. npx itself
 * installs the package anew for each documented line, which `npm run verify:deep` does.
 */
export function putNpx(folder: string, command: string): void {
  mkdirSync(folder, { recursive: true });
  const script = `#!/bin/sh\nwhile [ "\${1#-}" != "$1" ]; do shift; done\nshift\nexec ${command} "$@"\n`;
  writeFileSync(join(folder, "npx"), script, { mode: 0o755 });
}

/** Installs packages from the registry, or from tarballs. */
export const npmInstall = (folder: string, packages: string[]) =>
  run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", ...packages], {
    cwd: folder,
    env: plainEnvironment(),
    maxBuffer: 1e8,
  });

/** Node.js releases to test published packages on. 24 is the repository's own. */
const releases = { 20: "20.20.2", 22: "22.23.3" } as const;

/** The releases that this run tests on: those that people have, or at a commit the repository's own. */
export const nodeReleases: readonly (20 | 22 | 24)[] = isDeep ? [20, 22, 24] : [24];

/** The path of a Node.js binary of that release, downloaded once from its npm package and kept in `.tintype`. */
export async function nodeRelease(major: 20 | 22 | 24): Promise<string> {
  if (major === 24) return join(repository, "node_modules/node/bin/node");
  const architecture = `${process.platform === "darwin" && process.arch === "arm64" ? "node-bin" : "node"}-${process.platform}-${process.arch}`;
  const version = releases[major];
  return binaryOf({ name: architecture, version, binary: "bin/node", says: `v${version}` });
}

/** Deno, in the same way. */
export function denoRelease(): Promise<string> {
  const version = "2.9.6";
  const name = `@deno/${process.platform}-${process.arch}${process.platform === "linux" ? "-glibc" : ""}`;
  return binaryOf({ name, version, binary: "deno", says: `deno ${version} ` });
}

type Release = { name: string; version: string; binary: string; says: string };

async function binaryOf({ name, version, binary, says }: Release): Promise<string> {
  const folder = join(repository, ".tintype/node-releases", version);
  const path = join(folder, "node_modules", name, binary);
  if (await runs(path, says)) return path;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  await npmInstall(folder, [`${name}@${version}`]);
  return path;
}

const runs = (binary: string, says: string): Promise<boolean> =>
  run(binary, ["--version"]).then(
    ({ stdout }) => `${stdout.trim()} `.startsWith(`${says.trim()} `),
    () => false,
  );
