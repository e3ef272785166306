import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { fetchModel, type ModelsConfig, missingModels, modelIds, modelsCheck, remoteModels } from "@tintype/imaging";
import type { FastifyBaseLogger } from "fastify";
import { z } from "zod";
import type { Config } from "../config.ts";

const triple = z.tuple([z.number(), z.number(), z.number()]);
const side = z.int().min(1).max(8192);
const name = z.string().min(1);

/** An operator's row that replaces a shipped model's. Missing fields keep the shipped values. */
const override = z.strictObject({
  source: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("file"), path: name }),
    z.strictObject({ kind: z.literal("https"), url: z.url() }),
  ]),
  name: name.exactOptional(),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, "64 hexadecimal digits")
    .exactOptional(),
  licence: name.exactOptional(),
  values: z.enum(["uint8", "float32"]).exactOptional(),
  reachPx: z.int().min(0).max(256).exactOptional(),
  input: z
    .strictObject({
      name,
      size: z.discriminatedUnion("kind", [
        z.strictObject({ kind: z.literal("fixed"), heightPx: side, widthPx: side }),
        z.strictObject({ kind: z.literal("free"), multipleOf: side }),
      ]),
      mean: triple,
      deviation: triple,
    })
    .exactOptional(),
  output: z
    .strictObject({
      name,
      channels: z.literal([1, 3]),
      scale: z.literal([1, 2, 4]),
      range: z.tuple([z.number(), z.number()]),
      activation: z.literal("sigmoid").exactOptional(),
    })
    .exactOptional(),
  memoryMb: z.int().min(1).exactOptional(),
  keepsArena: z.boolean().exactOptional(),
});
const overrides = z.partialRecord(z.enum(modelIds), override);

/**
 * Reads the engines' model configuration.
 * @throws Error if the operator's file cannot be read or is invalid
 */
export function readModels(config: Config): ModelsConfig {
  return {
    directory: config.modelsFolder,
    ...(config.TINTYPE_MODEL_THREADS === undefined ? {} : { threads: config.TINTYPE_MODEL_THREADS }),
    ...(config.TINTYPE_DEVICES === undefined ? {} : { providers: config.TINTYPE_DEVICES }),
    ...(config.TINTYPE_MODELS_FILE === undefined ? {} : { overrides: readOverrides(config.TINTYPE_MODELS_FILE) }),
  };
}

function readOverrides(path: string): NonNullable<ModelsConfig["overrides"]> {
  const parsed = overrides.safeParse(readJson(path));
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    throw new Error(`TINTYPE_MODELS_FILE: ${path} is invalid.\n${lines.join("\n")}`);
  }
  const placed = Object.entries(parsed.data).map(([id, { source, ...rest }]) => [
    id,
    // Paths are relative to the file that contains them.
    { ...rest, source: source.kind === "file" ? { ...source, path: resolve(dirname(path), source.path) } : source },
  ]);
  return Object.fromEntries(placed) as z.infer<typeof overrides>; // keys and all were parsed
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    throw new Error(`TINTYPE_MODELS_FILE: ${path} cannot be read as JSON.`, { cause });
  }
}

/**
 * Fetches the models that the operator configured by address, before an engine starts: engines run in a sandbox without a
 * network. A failed fetch is logged, and the operation that needs the model responds 503.
 * @throws Error if an address has no sha256
 */
export async function downloadModels(models: ModelsConfig, log: FastifyBaseLogger): Promise<void> {
  for (const row of remoteModels(models)) {
    // The address may contain a secret in its query.
    const { host } = new URL(row.source.kind === "https" ? row.source.url : "");
    try {
      log.info({ host }, `fetching ${row.name} unless it is present`);
      await fetchModel(row, { directory: models.directory });
    } catch (problem) {
      log.error(
        { host, err: problem },
        `${row.name} could not be fetched, and what needs it answers 503; the next start tries again`,
      );
    }
  }
}

const checkTimeoutMs = 120_000;

/**
 * Checks models at startup rather than on a customer's first request.
 * @throws Error if an operator's model does not fit its place
 */
export async function checkModels(models: ModelsConfig, log: FastifyBaseLogger): Promise<void> {
  if (models.overrides) {
    const args = [fileURLToPath(modelsCheck), JSON.stringify(models)];
    const env = { PATH: process.env["PATH"] };
    await promisify(execFile)(process.execPath, args, { timeout: checkTimeoutMs, env }).catch(
      (problem: { stderr?: string }) => {
        throw new Error(`TINTYPE_MODELS_FILE: a model cannot be used.\n${problem.stderr?.trim() ?? ""}`);
      },
    );
  }
  for (const { name, sizeBytes = 0, withoutIt = "what needs it answers 503" } of await missingModels(models))
    log.warn(
      `The model "${name}" is not there, and ${withoutIt}: fetch it with \`npm run models\` ` +
        `(${Number((sizeBytes / 1e6).toPrecision(2))} MB); no restart is needed.`,
    );
}
