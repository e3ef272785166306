// A process of its own, because the server never loads onnxruntime. It opens each model that the operator put in place,
// and ends with status 1 and a line on stderr for each that does not fit its row. It leaves out a model from an address
// that the server could not fetch: that one answers 503.
import { DomainError } from "@tintype/contract";
import { type ModelId, modelIds } from "./model/catalogue.ts";
import { type ModelsConfig, rowOf } from "./model/config.ts";
import { createModels } from "./model/session.ts";
import { locateModel } from "./model/source.ts";

// Only the server starts this process, and it has parsed its configuration.
const config = JSON.parse(process.argv[2] ?? "{}") as ModelsConfig;
const models = createModels(config, { log: (line) => console.error(line) });

/** Puts aside what is shipped, and what could not be fetched. */
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
