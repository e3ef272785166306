import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, realpathSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { dirname, join, sep } from "node:path";
import { engineProcess, type ModelsConfig } from "@tintype/imaging";
import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../config.ts";
import { chooseSandbox, engineUid, type Sandbox, type SandboxLevel } from "../platform/sandbox.ts";

const meaning: Record<SandboxLevel, string> = {
  namespaces: "engines see their own room, libraries and models; no network, no other process",
  network: "engines have no network and see no other process, but the files their user may read",
  privileges: "engines cannot gain privileges; install bubblewrap for more",
  environment: "only the server's environment is kept from engines; install bubblewrap for more",
};

type SandboxNeeds = { models: ModelsConfig; scratch: string; log: FastifyBaseLogger };

/**
 * Chooses how engines are isolated from the rest of this machine, and logs it.
 * @throws Error if TINTYPE_SANDBOX=required and namespaces are unavailable
 */
export async function openSandbox(config: Config, { models, scratch, log }: SandboxNeeds): Promise<Sandbox> {
  const { TINTYPE_SANDBOX: setting } = config;
  const needsDevices = (models.providers ?? []).some((provider) => provider !== "cpu");
  const readable = readableByEngines(models, config.dataFolder);
  const sandbox = await chooseSandbox({ readable, scratch, needsDevices }, { isOff: setting === "off" });
  if (!sandbox)
    throw new Error(
      `The server runs as root, and engines do not. They would run as user ${engineUid}, which must be able to read ${readable.join(", ")}. Install bubblewrap and util-linux, keep the program and its models where all users may read, or start the server as another user.`,
    );
  const { level, uid } = sandbox;
  if (setting === "required" && level !== "namespaces")
    throw new Error(
      `TINTYPE_SANDBOX=required, but engines cannot be put into namespaces here (the best level is "${level}"). Install bubblewrap, and let the container make namespaces: docs/operations.md, "Engines in containers", has the options. TINTYPE_SANDBOX=auto takes the best there is.`,
    );
  // `level` is the log line's own.
  const details = { sandbox: level, uid: uid ?? "the server's" };
  if (level === "environment") log.warn(details, `engine sandbox: ${meaning[level]}`);
  else log.info(details, `engine sandbox: ${meaning[level]}`);
  return sandbox;
}

/** What an engine reads besides its pictures: Node, our code, its packages, and models. */
function readableByEngines({ directory, overrides = {} }: ModelsConfig, dataFolder: string): string[] {
  // Models may be fetched while engines run, so the folder must exist before. Weights are public, and engines may run as another user.
  if (directory !== undefined) {
    openToAll(directory);
    if (directory.startsWith(dataFolder + sep)) allowTraversal(dataFolder);
  }
  const imaging = packageFolder(engineProcess);
  const sources = Object.values(overrides).map(({ source }) => source);
  return [
    process.execPath,
    imaging,
    packageFolder("@tintype/contract"),
    packageFolder("@tintype/codecs", engineProcess),
    ...foldersFrom(imaging).map((folder) => join(folder, "node_modules")),
    ...(directory === undefined ? [] : [directory]),
    ...sources.flatMap((source) => (source.kind === "file" ? [source.path] : [])),
  ].filter((path) => existsSync(path));
}

function openToAll(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o755);
    // What the server itself fetched is readable only by its own user at first.
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isFile()) chmodSync(join(folder, entry.name), 0o644);
  } catch {
    // Owned by another user, or on a read-only disk: it stays as the operator made it, and the probe decides.
  }
}

/** Under root, only the engines' group may traverse the data folder, to reach the models. */
function allowTraversal(dataFolder: string): void {
  if (process.getuid?.() !== 0) return;
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  chownSync(dataFolder, 0, engineUid);
  chmodSync(dataFolder, 0o710);
}

function packageFolder(specifier: string | URL, from: string | URL = import.meta.url): string {
  const manifest = findPackageJSON(specifier, from);
  if (!manifest) throw new Error(`There is no package.json for ${specifier}.`);
  // The package's real folder: in a workspace, node_modules has a link to it.
  return dirname(realpathSync(manifest));
}

/** The folder and its ancestors, where Node looks for packages. */
function foldersFrom(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersFrom(parent)];
}
