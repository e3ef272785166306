import { DomainError } from "@tintype/contract";
import type { Outcome } from "@tintype/imaging";
import { Engine, type EngineOptions, type EngineRun } from "./engine.ts";

export type EnginePoolOptions = EngineOptions & {
  /** Processes, and thereby concurrent pictures. */
  size: number;
  /** Extra processes for when all are busy. Each is started on first use and ended after `spareIdleMs`. */
  spare?: number;
  spareIdleMs?: number;
};

/**
 * Processes pictures in child processes, by file path, so that a native crash, a hang or excessive memory costs only one
 * task. Dead processes are replaced. The pool has no queue: its caller consumes as many concurrent turns as it has
 * engines.
 */
export class EnginePool {
  readonly #engines: Engine[];
  readonly #spare: ReadonlySet<Engine>;
  readonly #idle: Engine[];
  #closed = false;

  constructor(options: EnginePoolOptions) {
    const { size, spare = 0, spareIdleMs = 0, ...common } = options;
    const steady = Array.from({ length: size }, () => new Engine(common));
    this.#spare = new Set(Array.from({ length: spare }, () => new Engine({ ...common, idleMs: spareIdleMs })));
    this.#engines = [...steady, ...this.#spare];
    // The last one is taken first.
    this.#idle = this.#engines.toReversed();
    if (options.idleMs === undefined) for (const engine of steady) engine.start();
  }

  /** Pictures processed concurrently. */
  get size(): number {
    return this.#engines.length;
  }
  get busy(): number {
    return this.#engines.length - this.#idle.length;
  }
  /** Process ids of the engines that run now. */
  get processIds(): number[] {
    return this.#engines.flatMap((engine) => engine.processId ?? []);
  }

  /**
   * @throws cancelled when the signal fires, took-too-long after the limit, interrupted when the pool is closed,
   * EngineLost when the process ended during the task, and the error with which the engine refuses the picture
   */
  async run(run: EngineRun): Promise<Outcome> {
    if (this.#closed) throw new DomainError("interrupted");
    if (run.signal.aborted) throw new DomainError("cancelled");
    const engine = this.#idle.pop();
    if (!engine) throw new Error(`More than ${this.size} tasks at a time were given to a pool of engines.`);
    try {
      return await engine.run(run);
    } catch (problem) {
      if (problem instanceof DomainError) throw problem;
      if (this.#closed) throw new DomainError("interrupted", { cause: problem });
      if (run.signal.aborted) throw new DomainError("cancelled");
      throw problem;
    } finally {
      if (this.#spare.has(engine)) this.#idle.unshift(engine);
      else this.#idle.push(engine);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#engines.map((engine) => engine.close()));
  }
}
