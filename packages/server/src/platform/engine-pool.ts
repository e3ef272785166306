import { DomainError } from "@tintype/contract";
import type { Outcome, Progress, Task } from "@tintype/imaging";
import { Engine, type EngineLog, EngineLost } from "./engine.ts";
import { FairQueue, type Lane } from "./fair-queue.ts";
import type { Sandbox } from "./sandbox.ts";

export type EngineRun = {
  task: Task;
  owner: string;
  lane: Lane;
  timeLimitMs: number;
  signal: AbortSignal;
  progress(progress: Progress): void;
};

export type EnginePoolOptions = {
  /** Processes, and so pictures worked on at a time. */
  size: number;
  /** Scratch space; each process has a folder of its own below it, which goes when the process goes. */
  scratch: string;
  memoryLimitMb: number;
  /** Started on first use and ended after so many ms without work; always there when left out. */
  idleMs?: number;
  /** Passed to the engine process as its command line. */
  arguments?: string[];
  /** Added to the engine's environment. */
  environment?: Record<string, string>;
  /** How engines are kept from everything else; left out: not at all. */
  sandbox?: Sandbox;
  log: EngineLog;
};

type Entry = EngineRun & {
  /** Times the process was lost under it; one more try is given. */
  losses: number;
  settle: PromiseWithResolvers<Outcome>;
};

/**
 * Pictures are worked on in child processes, by file path: a native crash, a hang or a memory blow-up costs the one
 * task. A task whose process was lost is tried once more; then it fails with `engine-failed`. The pool refills itself.
 */
export class EnginePool {
  readonly #queue = new FairQueue<Entry>();
  readonly #engines: Engine[];
  readonly #idle: Engine[];
  #closed = false;

  constructor(options: EnginePoolOptions) {
    this.#engines = Array.from({ length: options.size }, () => new Engine(options));
    this.#idle = [...this.#engines];
    if (options.idleMs === undefined) for (const engine of this.#engines) engine.start();
  }

  get waiting(): number {
    return this.#queue.size;
  }
  get busy(): number {
    return this.#engines.length - this.#idle.length;
  }
  /** Process ids of the engines that run now. */
  get processIds(): number[] {
    return this.#engines.flatMap((engine) => engine.processId ?? []);
  }

  /**
   * @throws cancelled when the signal fires, took-too-long after the limit, engine-failed when the process was lost
   *   twice, and whatever the engine refuses the picture with
   */
  run(run: EngineRun): Promise<Outcome> {
    const entry: Entry = { ...run, losses: 0, settle: Promise.withResolvers<Outcome>() };
    if (this.#closed) return Promise.reject(new DomainError("interrupted"));
    if (run.signal.aborted) return Promise.reject(new DomainError("cancelled"));
    const onAbort = () => {
      if (this.#queue.remove(entry)) entry.settle.reject(new DomainError("cancelled"));
    };
    run.signal.addEventListener("abort", onAbort);
    this.#queue.add(entry, run);
    this.#dispatch();
    return entry.settle.promise.finally(() => run.signal.removeEventListener("abort", onAbort));
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (let entry = this.#queue.take(); entry; entry = this.#queue.take())
      entry.settle.reject(new DomainError("interrupted"));
    await Promise.all(this.#engines.map((engine) => engine.close()));
  }

  #dispatch(): void {
    while (this.#idle.length > 0 && !this.#closed) {
      const entry = this.#queue.take();
      if (!entry) return;
      const engine = this.#idle.pop();
      if (engine) void this.#work(engine, entry);
    }
  }

  async #work(engine: Engine, entry: Entry): Promise<void> {
    try {
      entry.settle.resolve(await engine.run(entry));
    } catch (problem) {
      if (problem instanceof EngineLost && entry.losses === 0 && !entry.signal.aborted && !this.#closed) {
        entry.losses = 1;
        this.#queue.add(entry, { ...entry, first: true });
      } else entry.settle.reject(asDomainError(problem, { closed: this.#closed, aborted: entry.signal.aborted }));
    } finally {
      this.#idle.push(engine);
      this.#dispatch();
    }
  }
}

function asDomainError(problem: unknown, { closed, aborted }: { closed: boolean; aborted: boolean }): unknown {
  if (problem instanceof DomainError) return problem;
  if (closed) return new DomainError("interrupted", { cause: problem });
  if (aborted) return new DomainError("cancelled");
  return new DomainError("engine-failed", { cause: problem });
}
