import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { DomainError, type OperationName, tasks } from "@tintype/contract";
import { catalogue, fetchModel, type ModelRow, type ModelsConfig, missingModels } from "@tintype/imaging";
import imaging from "@tintype/imaging/package.json" with { type: "json" };

const runtimeName = "onnxruntime-node";
const runtimeVersion = imaging.dependencies[runtimeName];
/** Its size on disk once installed, measured on Linux with version 1.30.0. */
const runtimeMegabytes = 270;

/** The runtime and the weights that operations with a network need, downloaded once. */
export type Networks = {
  config(): Promise<ModelsConfig>;
  /** The parts that these operations still lack. */
  missing(operations: readonly OperationName[]): Promise<{ name: string; megabytes: number }[]>;
  /** Installs them with npm, from the registry that npm is configured for. @throws unavailable */
  install(
    operations: readonly OperationName[],
    options: { signal: AbortSignal; log(line: string): void },
  ): Promise<void>;
};

export const needsNetwork = (operation: OperationName): boolean => tasks[operation].work === "model";

export function openNetworks(folder: string): Networks {
  const models = join(folder, "models");
  const rowsOf = async (operations: readonly OperationName[]): Promise<ModelRow[]> =>
    (await missingModels({ directory: models })).filter((row) => operations.some((name) => name === row.task));
  return {
    async config() {
      const runtime = await runtimeIn(folder);
      return { directory: models, ...(runtime === undefined ? {} : { runtime }) };
    },
    async missing(operations) {
      if (!operations.some(needsNetwork)) return [];
      const runtime = await runtimeIn(folder);
      return [
        ...(runtime === undefined ? [{ name: `${runtimeName} ${runtimeVersion}`, megabytes: runtimeMegabytes }] : []),
        ...(await rowsOf(operations)).map(({ name, sizeBytes = 0 }) => ({
          name,
          megabytes: Math.round(sizeBytes / 1e6),
        })),
      ];
    },
    async install(operations, { signal, log }) {
      try {
        if ((await runtimeIn(folder)) === undefined) {
          log(`Fetching ${runtimeName} ${runtimeVersion}`);
          await installRuntime(folder, signal);
        }
        for (const row of await rowsOf(operations)) {
          log(`Fetching ${row.name}`);
          await fetchModel(row, { directory: models, signal });
        }
      } catch (cause) {
        signal.throwIfAborted();
        throw new DomainError("unavailable", {
          detail: `The networks could not be installed: ${errorOutput(cause)}`,
          cause,
        });
      }
    },
  };
}

/** npm's own reason; the error's message is only the command line. */
function errorOutput(cause: unknown): string {
  const stderr = cause instanceof Error && "stderr" in cause ? String(cause.stderr) : "";
  const reasons = stderr
    .split("\n")
    .map((line) => /^npm (?:error|ERR!) (.+)$/.exec(line)?.[1]?.trim() ?? "")
    .filter((line) => line !== "" && !line.startsWith("A complete log"));
  if (reasons.length > 0) return reasons.slice(0, maxReasons).join(" ");
  return (cause instanceof Error ? cause.message : String(cause)).split("\n")[0] ?? "";
}

/** Lines of npm's output that are shown: its code, its reason, and the URL. */
const maxReasons = 4;

/** The name of every operation that has a network. */
export const networkOperations = (): OperationName[] => [
  ...new Set(Object.values(catalogue).map(({ task }): OperationName => task)),
];

async function installRuntime(folder: string, signal: AbortSignal): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "tintype-networks", private: true }));
  const args = ["install", "--no-audit", "--no-fund", "--no-save", "--ignore-scripts", "--prefix", folder];
  const shell = process.platform === "win32";
  await promisify(execFile)(shell ? "npm.cmd" : "npm", [...args, `${runtimeName}@${runtimeVersion}`], {
    cwd: folder,
    signal,
    shell,
    timeout: 900_000,
    maxBuffer: 1 << 24,
  });
}

/** The module's URL: beside this code, or in the folder, in exactly the version that the server uses. */
async function runtimeIn(folder: string): Promise<string | undefined> {
  for (const place of [import.meta.url, pathToFileURL(join(folder, "package.json")).href]) {
    const found = await locate(place);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function locate(place: string): Promise<string | undefined> {
  try {
    const entry = createRequire(place).resolve(runtimeName);
    const manifest: unknown = JSON.parse(await readFile(join(packageFolder(entry), "package.json"), "utf8"));
    const version = manifest instanceof Object && "version" in manifest ? manifest.version : undefined;
    return version === runtimeVersion ? pathToFileURL(entry).href : undefined;
  } catch {
    return undefined; // not installed
  }
}

/** The package's root folder, above one of its files. */
function packageFolder(entry: string): string {
  let folder = dirname(entry);
  while (!folder.endsWith(runtimeName) && folder !== dirname(folder)) folder = dirname(folder);
  return folder;
}
