import { DomainError } from "@tintype/contract";
import type { Outcome, Progress, Task } from "@tintype/imaging";
import { Engine, type EngineLog } from "./engine.ts";
import type { Sandbox } from "./sandbox.ts";

export type EngineRun = {
  task: Task;
  timeLimitMs: number;
  /** The longest until the first progress, ms. */
  firstProgressLimitMs?: number;
  /** The limit for a picture of so many megapixels, ms, once the engine has read its size. */
  timeLimitForSizeMs?(megapixels: number): number;
  signal: AbortSignal;
  progress(progress: Progress): void;
  /** For lines of the engine while it works on this. Left out: the pool's own. */
  log?: EngineLog;
};

export type EnginePoolOptions = {
  /** Processes, and so pictures at a time. */
  size: number;
  /** Extra processes for when all are busy; each is started on first use and ended after `spareIdleMs`. */
  spare?: number;
  spareIdleMs?: number;
  /** Scratch space; each process has a folder of its own below it, which goes when the process goes. */
  scratch: string;
  memoryLimitMb: number;
  /** Started on first use and ended after so many ms without work; always there when left out. */
  idleMs?: number;
  /** Passed to the engine process as its command line. */
  arguments?: string[];
  /** Added to the engine's environment. */
  environment?: Record<string, string>;
  /** The sandbox of the engines; left out: none. */
  sandbox?: Sandbox;
  log: EngineLog;
};

/**
 * Pictures are worked on in child processes, by file path: a native crash, a hang or a memory blow-up costs only
 * one task. The pool replaces processes. It has no queue: its caller consumes as many turns at a time as it has engines.
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

  /** Pictures worked on at a time. */
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
   * @throws cancelled when the signal fires, took-too-long after the limit, interrupted when the pool is closed, EngineLost
   *   when the process ended during the task, and the error that the engine refuses the picture with
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
