import { type ChildProcess, spawn } from "node:child_process";
import { setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { DomainError } from "@tintype/contract";
import {
  engineProcess,
  type FromEngine,
  type Outcome,
  type Progress,
  type Task,
  type ToEngine,
} from "@tintype/imaging";
import { readEngineMessage } from "./engine-message.ts";
import { type EngineWorkdir, openEngineWorkdir } from "./engine-workdir.ts";
import { childrenOf, processorMs, residentMb, treeOf } from "./process-tree.ts";
import { noSandbox, type Sandbox } from "./sandbox.ts";
import { watchTime } from "./time-limit.ts";

export type EngineLog = { warn(details: object, message: string): void; debug(details: object, message: string): void };

export type EngineOptions = {
  /** Scratch space. Each process has its own folder in it, removed with the process. */
  scratch: string;
  memoryLimitMb: number;
  /** Start on first use, and end after this many ms without work. Default: always running. */
  idleMs?: number;
  /** Passed to the engine process as its command line. */
  arguments?: string[];
  /** Added to the engine's environment. */
  environment?: Record<string, string>;
  /** Default: none. */
  sandbox?: Sandbox;
  log: EngineLog;
};

export type EngineRun = {
  task: Task;
  /** See `watchTime`, ms. */
  timeLimitMs: number;
  /** The same, until the first progress, ms. */
  firstProgressLimitMs?: number;
  /** The limit for a picture of this many megapixels, ms, once the engine has read its size. */
  timeLimitForSizeMs?(megapixels: number): number;
  signal: AbortSignal;
  progress(progress: Progress): void;
  /** Default: the engine's log. */
  log?: EngineLog;
};

type Current = {
  id: number;
  work: EngineRun;
  settle: PromiseWithResolvers<Outcome>;
  onFirstProgress?: () => void;
  onSize(megapixels: number): void;
};

/** The process ended, or was killed, during its task. */
export class EngineLost extends Error {
  override readonly name = "EngineLost";
}

/** How long a cancelled task has to stop by itself before its process is killed. */
const cancelGraceMs = 400;
const memoryCheckIntervalMs = 250;
/**
 * glibc keeps freed memory: the first three reduced a loaded engine process from 444 to 148 MB. Memory returned to the
 * system is faulted in again page by page. With huge pages, where available, a network of one gigabyte spent 0.3 s on that
 * instead of 0.9.
 */
export const allocatorEnvironment = {
  GLIBC_TUNABLES: "glibc.malloc.hugetlb=1",
  MALLOC_ARENA_MAX: "2",
  MALLOC_TRIM_THRESHOLD_: "131072",
  MALLOC_MMAP_THRESHOLD_: "131072",
};

/**
 * Pictures are outside V8's heap and trigger many collections. Concurrent collection is for programs that must stay
 * responsive: without it, and with a small young generation, a 1 MP picture took a fifth less CPU time.
 */
export const engineFlags = ["--no-incremental-marking", "--max-semi-space-size=4"];

/** Keeps the server responsive while all cores compute. */
const engineNiceness = 10;

/** An engine process and its replacements: it works on one task at a time and is restarted when it dies. */
export class Engine {
  readonly #options: EngineOptions;
  #child: ChildProcess | undefined;
  #workdir: EngineWorkdir | undefined;
  /** Killed, but not exited yet. */
  readonly #dying = new Set<ChildProcess>();
  #current: Current | undefined;
  #nextId = 1;
  #earlyDeaths = 0;
  #closed = false;
  #idleTimer: NodeJS.Timeout | undefined;
  #restartTimer: NodeJS.Timeout | undefined;

  constructor(options: EngineOptions) {
    this.#options = options;
  }

  /** The process that works on pictures, not the sandbox's supervisor. */
  get processId(): number | undefined {
    const pid = this.#child?.pid;
    return pid === undefined ? undefined : this.#sandbox.hasSupervisor ? treeOf(pid).at(-1) : pid;
  }

  get #sandbox(): Sandbox {
    return this.#options.sandbox ?? noSandbox;
  }

  start(): void {
    if (this.#child || this.#closed) return;
    clearTimeout(this.#restartTimer);
    const { scratch, log } = this.#options;
    const workdir = openEngineWorkdir(scratch, this.#sandbox.uid);
    const [file, ...args] = this.#sandbox.wrap(workdir.path, [
      ...[process.execPath, ...engineFlags],
      ...[fileURLToPath(engineProcess), ...(this.#options.arguments ?? [])],
    ]);
    const child = spawn(file, args, {
      cwd: workdir.path,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      // Parsed as JSON: V8's own deserializer trusts its input, and the engine may be compromised.
      serialization: "json",
      // An explicit environment: nothing else of the server's, least of all its secrets.
      env: {
        PATH: process.env["PATH"],
        // Node.js's compile cache, which engines may read if the sandbox exposes it.
        NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
        TMPDIR: ".",
        ...allocatorEnvironment,
        ...this.#options.environment,
      },
    });
    this.#child = child;
    this.#workdir = workdir;
    lowerPriority(child.pid);
    let isReady = false;
    /** The current task's log, whose lines name the job and the request. */
    const logNow = () => this.#current?.work.log ?? log;
    child.on("message", (data: unknown) => {
      const message = readEngineMessage(data);
      if (!message) {
        logNow().warn({ pid: child.pid }, "an engine process sent an invalid message; it is killed");
        if (this.#child === child) this.#end();
      } else if (message.type === "ready") {
        isReady = true;
        this.#earlyDeaths = 0;
        lowerPriority(this.processId);
      } else if (message.type === "log") logNow().warn({ pid: child.pid }, message.line);
      else this.#receive(message);
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (text: Buffer) =>
        logNow().debug({ pid: child.pid, text: String(text).slice(0, 2000) }, "engine says"),
      );
    child.on("error", (problem) => log.warn({ pid: child.pid, problem: problem.message }, "engine process"));
    child.once("exit", (code, signal) => {
      workdir.remove();
      this.#dying.delete(child);
      if (this.#child === child) {
        this.#child = undefined;
        this.#current?.settle.reject(new EngineLost(`the engine process ended (${signal ?? code})`));
      }
      if (this.#child || this.#closed || (this.#options.idleMs !== undefined && !this.#current)) return;
      if (!isReady) this.#earlyDeaths++;
      log.warn({ code, signal }, "engine process ended; starting another");
      // Backoff: a process that cannot start must not be started a thousand times a second.
      this.#restartTimer = setTimeout(() => this.start(), isReady ? 0 : Math.min(5000, 100 * 2 ** this.#earlyDeaths));
    });
  }

  /** @throws EngineLost, or a DomainError: the engine's refusal, took-too-long, engine-failed or cancelled */
  async run(work: EngineRun): Promise<Outcome> {
    clearTimeout(this.#idleTimer);
    this.start();
    const workdir = this.#workdir;
    const id = this.#nextId++;
    const settle = Promise.withResolvers<Outcome>();
    let endSizeLimit = () => {};
    const onSize = (megapixels: number) => {
      endSizeLimit();
      if (work.timeLimitForSizeMs) endSizeLimit = watch(work.timeLimitForSizeMs(megapixels));
    };
    this.#current = { id, work, settle, onSize };
    let graceTimer: NodeJS.Timeout | undefined;
    const onAbort = () => {
      this.#send({ type: "cancel", id });
      graceTimer = setTimeout(() => this.#end(), cancelGraceMs);
    };
    const onTooLong = () => {
      settle.reject(new DomainError("took-too-long"));
      this.#end();
    };
    const watch = (limitMs: number) => watchTime({ limitMs, usedMs: () => this.#usedMs(), onTooLong });
    const endTimeLimit = watch(work.timeLimitMs);
    if (work.firstProgressLimitMs !== undefined) this.#current.onFirstProgress = watch(work.firstProgressLimitMs);
    const memoryCheck = setInterval(() => this.#checkMemory(settle), memoryCheckIntervalMs);
    work.signal.addEventListener("abort", onAbort);
    try {
      // It may settle while the pictures are brought in.
      settle.promise.catch(() => {});
      if (!workdir) throw new EngineLost("the engine is closed");
      // The workdir is removed with its process, even while pictures are moved in or out.
      const unlessLost = (problem: unknown) => {
        throw this.#workdir === workdir && this.#child ? problem : new EngineLost("the engine process ended");
      };
      this.#send({ type: "run", id, task: await workdir.linkPictures(work.task).catch(unlessLost) });
      const outcome = await settle.promise;
      await workdir.take(work.task, outcome).catch(unlessLost);
      return outcome;
    } finally {
      if (!((await workdir?.clear()) ?? true)) this.#end();
      work.signal.removeEventListener("abort", onAbort);
      endTimeLimit();
      endSizeLimit();
      this.#current?.onFirstProgress?.();
      clearTimeout(graceTimer);
      clearInterval(memoryCheck);
      this.#current = undefined;
      if (this.#options.idleMs !== undefined)
        this.#idleTimer = setTimeout(() => this.#end(), this.#options.idleMs).unref();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idleTimer);
    clearTimeout(this.#restartTimer);
    const children = [...this.#dying, ...(this.#child ? [this.#child] : [])];
    await Promise.all(
      children.map(
        (child) =>
          new Promise<void>((done) => {
            child.once("exit", () => done());
            this.#kill(child);
          }),
      ),
    );
  }

  #send(message: ToEngine): void {
    // A dying process refuses the message; its exit settles the task.
    this.#child?.send(message, () => {});
  }

  #receive(message: Exclude<FromEngine, { type: "ready" | "log" }>): void {
    const current = this.#current;
    if (!current || message.id !== current.id) return;
    if (message.type === "progress") {
      current.onFirstProgress?.();
      current.work.progress(message.progress);
    } else if (message.type === "size") current.onSize(message.megapixels);
    else if (message.type === "done") current.settle.resolve(message.outcome);
    else if (message.type === "refused")
      current.settle.reject(
        new DomainError(message.code, {
          reason: message.reason,
          smallestBytes: message.smallestBytes,
          cause: message.cause,
        }),
      );
    else current.settle.reject(new DomainError("engine-failed", { cause: message.message }));
  }

  /** Kills the process. A dying process gets no further task, which would be lost with it. */
  #end(): void {
    const child = this.#child;
    if (!child) return;
    this.#child = undefined;
    this.#dying.add(child);
    this.#kill(child);
    this.#current?.settle.reject(new EngineLost("the engine process was ended"));
  }

  /** With a keeper the sandbox is ended from inside: when the keeper ends after it, nothing of it is left. */
  #kill(child: ChildProcess): void {
    const inner = this.#sandbox.hasSupervisor && child.pid !== undefined ? childrenOf(child.pid)[0] : undefined;
    if (inner === undefined) child.kill("SIGKILL");
    else killProcess(inner);
  }

  #usedMs(): number | undefined {
    const pid = this.#child?.pid;
    return pid === undefined ? undefined : processorMs(treeOf(pid));
  }

  #checkMemory(settle: PromiseWithResolvers<Outcome>): void {
    const pid = this.#child?.pid;
    const used = pid === undefined ? undefined : residentMb(treeOf(pid));
    if (used === undefined || used <= this.#options.memoryLimitMb) return;
    const log = this.#current?.work.log ?? this.#options.log;
    log.warn({ used, limit: this.#options.memoryLimitMb }, "engine process used too much memory");
    settle.reject(new DomainError("cannot-process", { reason: { code: "out-of-memory" } }));
    this.#end();
  }
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, engineNiceness);
  } catch {
    // Already gone, which its exit reports; or the system has no such signal.
  }
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Already gone.
  }
}
