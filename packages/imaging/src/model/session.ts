import { DomainError, type Stage } from "@tintype/contract";
import type { ModelId } from "./catalogue.ts";
import { type ModelsConfig, rowOf } from "./config.ts";
import { type OpenModel, openModel } from "./inference.ts";
import { ModelError } from "./model-error.ts";
import type { ModelRow } from "./row.ts";
import { locateModel } from "./source.ts";

type UseContext = {
  signal?: AbortSignal | undefined;
  /** Receives the stage that delays a model's use: loading it. */
  onStage?(stage: Stage): void;
};

/** The models of one engine process. */
export type Models = {
  /**
   * Runs the work with the model of a slot. The model opens on first use, is shared, and stays open until the work has
   * ended; it closes after some idle time, or when another model needs the memory. Work that acquires a second model
   * while it holds the first may deadlock if the limits allow one only.
   * @throws not-installed when the model is missing or cannot be opened; the reason is its cause, for the log
   */
  use<T>(id: ModelId, work: (model: OpenModel) => Promise<T>, context?: UseContext): Promise<T>;
  /** As `use`, for work that can do without its model: if `use` would throw, it logs one line and returns undefined. */
  useIfThere<T>(id: ModelId, work: (model: OpenModel) => Promise<T>, context?: UseContext): Promise<T | undefined>;
  /** Closes all idle models; a model in use closes when its work ends. */
  close(): Promise<void>;
};

type Entry = { row: ModelRow; opened: Promise<OpenModel>; users: number; idle?: NodeJS.Timeout; isLeaving?: boolean };

/** Megabytes. An operator who configures a larger model has the memory for it. */
const largestOverride = ({ overrides = {} }: ModelsConfig): number =>
  Math.max(0, ...Object.values(overrides).map(({ memoryMb = 0 }) => memoryMb));

const defaults = { maxSessions: 3, maxMemoryMb: 2000, idleMs: 120_000 };

export function createModels(
  config: ModelsConfig = {},
  { log = () => {} }: { log?: (line: string) => void } = {},
): Models {
  const { maxSessions, idleMs } = { ...defaults, ...config };
  const maxMemoryMb = config.maxMemoryMb ?? Math.max(defaults.maxMemoryMb, 1.25 * largestOverride(config));
  /** Least recently used first. */
  const entries = new Map<ModelId, Entry>();
  const waiting = new Set<() => void>();

  async function acquire(id: ModelId, context: UseContext): Promise<Entry> {
    const row = rowOf(id, config);
    if (row.memoryMb > maxMemoryMb)
      throw new ModelError(`${row.name} takes ${row.memoryMb} MB; the bound for models is ${maxMemoryMb} MB.`);
    for (;;) {
      context.signal?.throwIfAborted();
      const found = entries.get(id);
      if (found) return keepOpen(id, found);
      if (hasRoomFor(row)) break;
      if (!(await closeLongestUnused())) await nextRelease(context.signal);
    }
    return keepOpen(id, { row, opened: open(row, context), users: 0 });
  }

  function keepOpen(id: ModelId, entry: Entry): Entry {
    clearTimeout(entry.idle);
    entry.users += 1;
    entries.delete(id);
    entries.set(id, entry);
    return entry;
  }

  function release(id: ModelId, entry: Entry): void {
    entry.users -= 1;
    if (entry.isLeaving) void drop(id, entry);
    else if (entry.users === 0) {
      entry.idle = setTimeout(() => void drop(id, entry), idleMs);
      entry.idle.unref();
    }
    for (const wake of waiting) wake();
    waiting.clear();
  }

  async function drop(id: ModelId, entry: Entry): Promise<void> {
    clearTimeout(entry.idle);
    entry.isLeaving = true;
    if (entries.get(id) === entry) entries.delete(id);
    if (entry.users > 0) return; // its last user closes it
    const model = await entry.opened.catch(() => undefined); // `use` has reported that it never opened
    await model?.close();
  }

  const hasRoomFor = (row: ModelRow) =>
    entries.size < maxSessions &&
    [...entries.values()].reduce((sum, entry) => sum + entry.row.memoryMb, row.memoryMb) <= maxMemoryMb;

  async function closeLongestUnused(): Promise<boolean> {
    const found = [...entries].find(([, entry]) => entry.users === 0);
    if (found) await drop(...found);
    return found !== undefined;
  }

  const nextRelease = (signal: AbortSignal | undefined) =>
    new Promise<void>((resolve) => {
      waiting.add(resolve);
      signal?.addEventListener("abort", () => resolve(), { once: true });
    });

  async function open(row: ModelRow, { onStage }: UseContext): Promise<OpenModel> {
    onStage?.("loading-model");
    const path = await locateModel(row, config.directory);
    return openModel({
      row,
      path,
      providers: config.providers ?? [],
      threads: config.threads,
      runtime: config.runtime,
      log,
    });
  }

  async function use<T>(id: ModelId, work: (model: OpenModel) => Promise<T>, context: UseContext = {}): Promise<T> {
    const entry = await acquire(id, context).catch(refuse);
    try {
      const model = await entry.opened.catch(async (problem: unknown) => {
        await drop(id, entry);
        return refuse(problem);
      });
      return await work(model);
    } finally {
      release(id, entry);
    }
  }

  const missed = new Set<ModelId>();

  return {
    use,
    async useIfThere(id, work, context) {
      try {
        return await use(id, work, context);
      } catch (problem) {
        if (!(problem instanceof DomainError && problem.cause instanceof ModelError)) throw problem;
        if (!missed.has(id)) log(`Going on without a model: ${problem.cause.message}`);
        missed.add(id);
        return undefined;
      }
    },
    async close() {
      await Promise.all([...entries].map(([id, entry]) => drop(id, entry)));
    },
  };
}

/** The operator must fix it; the caller does not see the cause. */
function refuse(problem: unknown): never {
  if (problem instanceof ModelError) throw new DomainError("not-installed", { cause: problem });
  throw problem;
}
