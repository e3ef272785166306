// A separate process, because the server never loads onnxruntime. It opens each model that the operator configured. For
// each that does not fit its row, it writes a line to stderr and exits with status 1. A model by URL that the server
// could not download is skipped: requests for it are answered with 503.
import { DomainError } from "@tintype/contract";
import { type ModelId, modelIds } from "./model/catalogue.ts";
import { type ModelsConfig, rowOf } from "./model/config.ts";
import { createModels } from "./model/session.ts";
import { locateModel } from "./model/source.ts";

// Only the server starts this process, with a configuration that it has parsed.
const config = JSON.parse(process.argv[2] ?? "{}") as ModelsConfig;
const models = createModels(config, { log: (line) => console.error(line) });

/** False for shipped models, and for those that could not be downloaded. */
async function isHere(id: ModelId): Promise<boolean> {
  const kind = config.overrides?.[id]?.source.kind;
  if (kind !== "https") return kind !== undefined;
  return locateModel(rowOf(id, config), config.directory).then(
    () => true,
    () => false,
  );
}

for (const id of modelIds) {
  try {
    if (!(await isHere(id))) continue;
    await models.use(id, async () => {});
  } catch (problem) {
    const reason = problem instanceof DomainError ? problem.cause : problem;
    console.error(reason instanceof Error ? reason.message : String(reason));
    process.exitCode = 1;
  }
}
await models.close();
