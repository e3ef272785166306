import { catalogue, type ModelId } from "./catalogue.ts";
import { ModelError } from "./model-error.ts";
import type { ModelRow } from "./row.ts";

export const providers = ["cpu", "cuda", "webgpu", "coreml", "dml"] as const;
export type Provider = (typeof providers)[number];

/** The operator's model configuration. It reaches the engine process as JSON; no model setting comes from elsewhere. */
export type ModelsConfig = {
  /** The folder of downloaded models. */
  directory?: string;
  /** The module URL of onnxruntime-node, if it is installed outside the code's node_modules. */
  runtime?: string;
  /** Replacements for shipped models: the fields of the row that differ. */
  overrides?: Partial<Record<ModelId, ModelOverride>>;
  /** Execution providers in order of preference; the CPU is always last. Default: the CPU alone. */
  providers?: readonly Provider[];
  /** Threads per inference. Default: the cores available to this process. */
  threads?: number;
  /** The most sessions open at once. Default: 3. */
  maxSessions?: number;
  /**
   * The memory limit of all open sessions, megabytes, by the figures of their rows. Default: 2000, more for a larger
   * override.
   */
  maxMemoryMb?: number;
  /** A session idle for this long is closed, ms. Default: two minutes. */
  idleMs?: number;
};

/** `source` is required: an override names a file. The shipped file's checksum and size do not apply to it. */
export type ModelOverride = Partial<Omit<ModelRow, "task" | "source">> & Pick<ModelRow, "source">;

/** The row of a slot, with the operator's override applied. */
export function rowOf(id: ModelId, { overrides }: Pick<ModelsConfig, "overrides">): ModelRow {
  const shipped: ModelRow = catalogue[id];
  const override = overrides?.[id];
  if (!override) return shipped;
  if (override.source.kind === "https" && override.sha256 === undefined)
    throw new ModelError(`The model configured for "${id}" comes from an address: its sha256 must be configured too.`);
  const { sha256: _, sizeBytes: __, ...kept } = shipped;
  const { channels, scale } = override.output ?? shipped.output;
  if (channels !== shipped.output.channels || scale !== shipped.output.scale)
    throw new ModelError(
      `The place "${id}" wants a model of scale ${shipped.output.scale} and ${shipped.output.channels} channels.`,
    );
  if (id.endsWith("-16bit") && override.values === "uint8")
    throw new ModelError(`The place "${id}" is for pictures of 16 bits; a model of 8 bit integers does not fit there.`);
  // Another name, so that it never replaces the shipped file in the models directory.
  const fileName = override.fileName ?? `${id}-${override.sha256?.slice(0, 16) ?? "own"}.onnx`;
  return { ...kept, name: `the model configured for "${id}"`, licence: "the operator's", ...override, fileName };
}
