import { availableParallelism } from "node:os";
import type { InferenceSession, Tensor as TensorOf } from "onnxruntime-node";
import type { Provider } from "./config.ts";
import { ModelError } from "./model-error.ts";
import type { ModelRow } from "./row.ts";
import { checkShapes } from "./shapes.ts";

export type OpenModelOptions = {
  row: ModelRow;
  path: string;
  /** Tried in order; the CPU is last. */
  providers: readonly Provider[];
  threads: number | undefined;
  /** The module URL of onnxruntime-node, if it is not a dependency. */
  runtime?: string | undefined;
  log(line: string): void;
};

type SizePx = { heightPx: number; widthPx: number };

/** An open inference session. Inputs and outputs are as its row says. */
export type OpenModel = {
  row: ModelRow;
  provider(): Provider;
  /**
   * One inference on float32 [1, 3, heightPx, widthPx].
   * @returns float32 [1, channels, heightPx * scale, widthPx * scale], clamped to the row's range
   * @throws ModelError when the output's shape differs from the row's
   */
  run(input: Float32Array, size: SizePx): Promise<Float32Array>;
  /**
   * The same for a row of uint8 values: [1, heightPx, widthPx, 3].
   * @returns uint8 [1, heightPx * scale, widthPx * scale, 3]
   * @throws ModelError when the output's shape differs from the row's
   */
  runBytes(input: Uint8Array, size: SizePx): Promise<Uint8Array>;
  close(): Promise<void>;
};

/**
 * Opens a model on the first provider that accepts it. onnxruntime rejects a list with an unusable provider instead of
 * falling back, so each is tried alone. A provider that opens but fails at its first inference is dropped too.
 * @throws ModelError when the file is not a model, or its shapes do not fit the row
 */
export async function openModel({ row, path, providers, threads, runtime, log }: OpenModelOptions): Promise<OpenModel> {
  const { InferenceSession, Tensor } = await loadRuntime(runtime, row);
  const left = [...new Set<Provider>([...providers, "cpu"])];
  let { session, provider } = await openNext();

  async function openNext(): Promise<{ session: InferenceSession; provider: Provider }> {
    const provider = left.shift() ?? "cpu";
    try {
      const session = await InferenceSession.create(path, {
        executionProviders: [provider],
        intraOpNumThreads: threads ?? availableParallelism(),
        interOpNumThreads: 1,
        enableCpuMemArena: row.keepsArena,
        enableMemPattern: row.keepsArena,
        logSeverityLevel: 3, // its warnings are for authors of models
      });
      return { session, provider };
    } catch (cause) {
      if (provider === "cpu") throw new ModelError(`${row.name} cannot be opened from ${path}.`, { cause });
      reportFallback(provider, cause);
      return openNext();
    }
  }
  function reportFallback(provider: Provider, cause: unknown): void {
    log(`${row.name}: ${provider} cannot be used, going on with ${left[0]} (${firstLine(cause)})`);
  }

  checkShapes(row, { path, inputs: session.inputMetadata, outputs: session.outputMetadata });
  const { input, output } = row;

  async function compute(values: TensorOf): Promise<InferenceSession.OnnxValueMapType> {
    try {
      return await session.run({ [input.name]: values }, [output.name]);
    } catch (cause) {
      if (provider === "cpu") throw cause;
      reportFallback(provider, cause);
      await session.release();
      ({ session, provider } = await openNext());
      return compute(values);
    }
  }

  const refuse = (answer: unknown, type: string, dims: number[]): never => {
    throw new ModelError(
      `${row.name} answers with ${describe(answer)} where its row says ${type} [${dims.join(", ")}].`,
    );
  };

  return {
    row,
    provider: () => provider,
    close: () => session.release(),
    async run(values, { heightPx, widthPx }) {
      const answer = (await compute(new Tensor("float32", values, [1, 3, heightPx, widthPx])))[output.name];
      const expected = [1, output.channels, heightPx * output.scale, widthPx * output.scale];
      if (!isTensor(answer, "float32", expected)) return refuse(answer, "float32", expected);
      return settle(answer.data as Float32Array, output); // the type was checked above
    },
    async runBytes(values, { heightPx, widthPx }) {
      const answer = (await compute(new Tensor("uint8", values, [1, heightPx, widthPx, 3])))[output.name];
      const expected = [1, heightPx * output.scale, widthPx * output.scale, 3];
      if (!isTensor(answer, "uint8", expected)) return refuse(answer, "uint8", expected);
      return answer.data as Uint8Array; // the type was checked above
    },
  };
}

/** Imported lazily: it costs 100 ms, which compression need not pay. @throws ModelError if it is not installed */
async function loadRuntime(address: string | undefined, row: ModelRow): Promise<typeof import("onnxruntime-node")> {
  try {
    return address === undefined ? await import("onnxruntime-node") : await import(address);
  } catch (cause) {
    throw new ModelError(`${row.name} cannot be opened: onnxruntime-node is not installed.`, { cause });
  }
}

const firstLine = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause)).split("\n", 1)[0];
const isTensor = (answer: unknown, type: string, dims: number[]): answer is TensorOf =>
  answer instanceof Object &&
  "dims" in answer &&
  String(answer.dims) === String(dims) &&
  "type" in answer &&
  answer.type === type;
const describe = (answer: unknown) =>
  answer instanceof Object && "dims" in answer && "type" in answer ? `${answer.type} [${answer.dims}]` : "no tensor";

/** Applies the row's activation and clamps to its range, in place. */
function settle(values: Float32Array, { range: [low, high], activation }: ModelRow["output"]): Float32Array {
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i] ?? 0;
    const active = activation === "sigmoid" ? 1 / (1 + Math.exp(-value)) : value;
    values[i] = active < low ? low : active > high ? high : active;
  }
  return values;
}
