// A process of its own, because the server never loads onnxruntime. It opens each model that the operator put in place,
// and ends with status 1 and a line on stderr for each that does not fit its row. The engine checks a fetched model
// when it first uses it.
import { DomainError } from "@tintype/contract";
import { type ModelId, modelIds } from "./model/catalogue.ts";
import type { ModelsConfig } from "./model/config.ts";
import { createModels } from "./model/session.ts";

// Only the server starts this process, and it has parsed its configuration.
const config = JSON.parse(process.argv[2] ?? "{}") as ModelsConfig;
const models = createModels(config, { log: (line) => console.error(line) });

const isHere = (id: ModelId) => (config.overrides?.[id]?.source.kind ?? "https") !== "https";
for (const id of modelIds.filter(isHere)) {
  try {
    await models.use(id, async () => {});
  } catch (problem) {
    const reason = problem instanceof DomainError ? problem.cause : problem;
    console.error(reason instanceof Error ? reason.message : String(reason));
    process.exitCode = 1;
  }
}
await models.close();
