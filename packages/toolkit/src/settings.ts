import { dirname, resolve } from "node:path";
import { DomainError, type OperationName, unknownName } from "@tintype/contract";
import { lilconfig } from "lilconfig";
import type { NamedRecipe } from "./backend.ts";
import { isObject } from "./read-json.ts";
import { isWithin, realPlace } from "./real-place.ts";
import { isOperation, readSteps } from "./work.ts";

/** The settings that a project, the environment and the command line can all set. */
export type Settings = {
  /** The server's origin, from the environment; without one, pictures stay on this computer. */
  server?: string | undefined;
  /** The output folder; a configuration's is relative to the configuration's folder. */
  out?: string | undefined;
  /** Appended to result names, before the extension. */
  suffix?: string | undefined;
  /** Pictures processed at a time. */
  concurrency?: number | undefined;
  /** The cache folder, from the environment. */
  cache?: string | undefined;
  /** Default options of operations. */
  operations: Partial<Record<OperationName, Record<string, unknown>>>;
  recipes: readonly NamedRecipe[];
};

/** The content of `tintype.config.json`, or of `tintype` in `package.json`. */
export type Config = {
  out?: string;
  suffix?: string;
  concurrency?: number;
  operations?: Record<string, Record<string, unknown>>;
  recipes?: Record<string, readonly Record<string, Record<string, unknown>>[]>;
};

const kinds = {
  out: "string",
  suffix: "string",
  concurrency: "number",
  operations: "object",
  recipes: "object",
} as const satisfies Record<keyof Config, string>;

/**
 * A person's own settings, which no file may set: it may be from someone else's repository. Attack: such a repository
 * names a server, and the first command in it sends the person's key and pictures there.
 */
const personal: Record<string, string> = {
  server: "Set --server or TINTYPE_SERVER, or run: tintype login --server <address>",
  key: "Set TINTYPE_KEY, or run: tintype login",
  cache: "Set TINTYPE_CACHE.",
};

const isKey = (name: string): name is keyof Config => Object.hasOwn(kinds, name);

/**
 * The nearest configuration, in the folder or above it; the environment overrides it.
 * @throws invalid-request naming the file and what is wrong
 */
export async function readSettings(
  cwd: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Settings> {
  const found = await lilconfig("tintype", {
    searchPlaces: ["tintype.config.json", "package.json"],
    cache: false,
    loaders: { ".json": readJson },
  })
    .search(cwd)
    .catch((cause: unknown) => {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new DomainError("invalid-request", { detail: `The configuration cannot be read: ${reason}` });
    });
  const settings: Settings = found && !found.isEmpty ? await readConfig(found.config, found.filepath) : empty();
  const { TINTYPE_SERVER, TINTYPE_OUT, TINTYPE_SUFFIX, TINTYPE_CONCURRENCY, TINTYPE_CACHE } = environment;
  return {
    ...settings,
    ...(TINTYPE_SERVER ? { server: TINTYPE_SERVER } : {}),
    ...(TINTYPE_OUT ? { out: TINTYPE_OUT } : {}),
    ...(TINTYPE_SUFFIX ? { suffix: readSuffix(TINTYPE_SUFFIX) } : {}),
    ...(TINTYPE_CONCURRENCY ? { concurrency: readCount(TINTYPE_CONCURRENCY, "TINTYPE_CONCURRENCY") } : {}),
    ...(TINTYPE_CACHE ? { cache: TINTYPE_CACHE } : {}),
  };
}

function readJson(path: string, content: string): unknown {
  try {
    return JSON.parse(content.replace(/^\uFEFF/, ""));
  } catch (cause) {
    throw new Error(`${path}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

const empty = (): Settings => ({ operations: {}, recipes: [] });

async function readConfig(config: unknown, path: string): Promise<Settings> {
  const refuse = (detail: string): never => {
    throw new DomainError("invalid-request", { detail: `${path}: ${detail}` });
  };
  if (!isObject(config)) return refuse("the configuration must be an object.");
  for (const [name, value] of Object.entries(config)) {
    if (personal[name] !== undefined) return refuse(`"${name}" cannot be set in a project's file. ${personal[name]}`);
    if (!isKey(name)) return refuse(unknownName(name, Object.keys(kinds), "setting"));
    if (typeof value !== kinds[name] || (kinds[name] === "object" && !isObject(value)))
      return refuse(`"${name}" must be of type ${kinds[name]}.`);
  }
  const { operations = {}, recipes = {}, concurrency, out, suffix } = config as Config; // its keys and types were checked
  const folder = dirname(path);
  const outFolder = out === undefined ? undefined : resolve(folder, out);
  if (outFolder !== undefined && !(await isInFolder(outFolder, folder)))
    return refuse(`"out" leads to ${outFolder}, which is outside of the folder of this file. Use --out.`);
  for (const [name, options] of Object.entries(operations)) {
    if (!isOperation(name)) return refuse(unknownName(name, [], "operation"));
    if (!isObject(options)) return refuse(`the options of ${name} are an object.`);
  }
  try {
    return {
      ...(outFolder === undefined ? {} : { out: outFolder }),
      ...(suffix === undefined ? {} : { suffix: readSuffix(suffix) }),
      ...(concurrency === undefined ? {} : { concurrency: readCount(concurrency, "concurrency") }),
      operations,
      recipes: Object.entries(recipes).map(([name, steps]) => ({ name, steps: readSteps(steps) })),
    };
  } catch (problem) {
    return refuse(problem instanceof DomainError ? problem.detail : String(problem));
  }
}

/** Compares real paths: a repository may contain links. */
async function isInFolder(path: string, folder: string): Promise<boolean> {
  const [real, root] = await Promise.all([realPlace(path), realPlace(folder)]);
  return isWithin(real.path, root.path);
}

/** @throws invalid-request for a suffix that would lead to another folder */
export function readSuffix(suffix: string): string {
  if (!/[/\\]/.test(suffix)) return suffix;
  throw new DomainError("invalid-request", { detail: "A suffix is a part of a name, without a slash." });
}

/** @throws invalid-request unless it is 1 to 64 */
export function readCount(value: unknown, name: string): number {
  const count = Number(value);
  if (Number.isInteger(count) && count >= 1 && count <= 64) return count;
  throw new DomainError("invalid-request", { detail: `${name} must be between 1 and 64.`, field: name });
}
