import type { EngineConfig } from "./imaging.ts";

export { sniffBytes, sniffFormat } from "@tintype/codecs/headers";
export { checkKernels } from "./check-kernels.ts";
export { refuseUnread } from "./formats/unread.ts";
export { metadataOf } from "./metadata/choice.ts";
export { catalogue, type ModelId, modelIds } from "./model/catalogue.ts";
export { type ModelOverride, type ModelsConfig, type Provider, providers } from "./model/config.ts";
export { fetchOtherWeights, otherWeights } from "./model/other-weights.ts";
export type { ModelRow, ModelSource } from "./model/row.ts";
export { fetchModel, missingModels, remoteModels } from "./model/source.ts";
export { pageForStep } from "./operations/page-of.ts";
export { predictStep, type StepPrediction } from "./operations/predict-step.ts";
export { freeCells, sourceCells } from "./operations/preview/source-cells.ts";
export { addStep, nameStep, standInOf } from "./operations/steps.ts";
export type * from "./task.ts";

/** The module that a server starts as a child process (`child_process.fork`); messages are `ToEngine` and `FromEngine`. */
export const engineProcess = new URL("./process.ts", import.meta.url);

/**
 * A module that takes a `ModelsConfig` as JSON: it opens the models that the operator configured, and exits with status
 * 1 if one does not fit.
 */
export const modelsCheck = new URL("./check-models.ts", import.meta.url);

/** The arguments of an engine process: `fork(engineProcess, engineArguments({ models }))`. */
export const engineArguments = (config: EngineConfig): string[] => [JSON.stringify(config)];
