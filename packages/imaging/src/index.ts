import type { EngineConfig } from "./imaging.ts";

export { sniffBytes, sniffFormat } from "./formats/sniff.ts";
export { refuseUnread } from "./formats/unread.ts";
export { checkKernels } from "./kernels/start.ts";
export { metadataOf } from "./metadata/choice.ts";
export { catalogue, type ModelId, modelIds } from "./model/catalogue.ts";
export { type ModelOverride, type ModelsConfig, type Provider, providers } from "./model/config.ts";
export { fetchOtherWeights, otherWeights } from "./model/other-weights.ts";
export type { ModelRow, ModelSource } from "./model/row.ts";
export { fetchModel, missingModels, remoteModels } from "./model/source.ts";
export { type Foreseen, foresee } from "./operations/foresee.ts";
export { addStep, nameStep, standInOf } from "./operations/steps.ts";
export type * from "./task.ts";

/** The module a server starts as a child process (`child_process.fork`); it speaks `ToEngine` and `FromEngine`. */
export const engineProcess = new URL("./process.ts", import.meta.url);

/**
 * A module to run with a `ModelsConfig` as JSON: it opens the models that the operator put in place, and ends with
 * status 1 if one does not fit.
 */
export const modelsCheck = new URL("./check-models.ts", import.meta.url);

/** The arguments that an engine process is started with: `fork(engineProcess, engineArguments({ models }))`. */
export const engineArguments = (config: EngineConfig): string[] => [JSON.stringify(config)];
