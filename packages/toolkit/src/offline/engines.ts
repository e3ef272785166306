import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { DomainError } from "@tintype/contract";
import {
  engineArguments,
  engineProcess,
  type FromEngine,
  type ModelsConfig,
  type Outcome,
  type RunContext,
  type Task,
  type ToEngine,
} from "@tintype/imaging";
import pLimit from "p-limit";

/** Runs one task at a time, or as many as it has processes. */
export type Engines = {
  run(task: Task, context: RunContext): Promise<Outcome>;
  close(): Promise<void>;
};

/** In this process: no start-up cost, which is fastest for one file. */
export function engineHere(models: ModelsConfig): Engines {
  const opened = import("@tintype/imaging/engine").then(({ createImaging }) => createImaging({ models }));
  opened.catch(() => {}); // `run` reports it
  return { run: async (task, context) => (await opened).run(task, context), close: async () => {} };
}

type Engine = {
  run(task: Task, context: RunContext): Promise<Outcome>;
  end(): void;
};

/**
 * Child processes, started on demand, at most `size`: a crash in a decoder costs one picture, and stopping ends work
 * that blocks its thread.
 */
export function engineProcesses(models: ModelsConfig, size: number): Engines {
  const idle: Engine[] = [];
  const all = new Set<Engine>();
  const limit = pLimit(size);
  const start = () => {
    const engine = startEngine(models);
    all.add(engine);
    return engine;
  };
  return {
    run: (task, context) =>
      limit(async () => {
        context.signal.throwIfAborted();
        const engine = idle.pop() ?? start();
        return engine.run(task, context).finally(() => idle.push(engine));
      }),
    async close() {
      for (const engine of all) engine.end();
      all.clear();
    },
  };
}

/** A process that is started on first use, and restarted after it exits. */
function startEngine(models: ModelsConfig): Engine {
  let child: ReturnType<typeof fork> | undefined;
  let nextId = 1;
  const end = () => {
    child?.kill("SIGKILL");
    child = undefined;
  };
  const start = () => {
    const started = fork(fileURLToPath(engineProcess), engineArguments({ models }), {
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      // Ctrl-C in a terminal signals the whole process group; the parent must end this process itself.
      detached: process.platform !== "win32",
      execArgv: ["--no-incremental-marking", "--max-semi-space-size=4"],
    });
    started.once("exit", () => {
      if (child === started) child = undefined;
    });
    started.unref();
    started.channel?.unref();
    return started;
  };
  return {
    end,
    run: (task, { signal, progress }) =>
      new Promise<Outcome>((resolve, reject) => {
        child ??= start();
        const current = child;
        const id = nextId++;
        current.ref();
        current.channel?.ref();
        const leave = () => {
          current.off("message", receive);
          current.off("exit", lose);
          current.off("error", lose);
          signal.removeEventListener("abort", stop);
          current.unref();
          current.channel?.unref();
        };
        const settle = (finish: () => void) => {
          leave();
          finish();
        };
        const lose = () =>
          settle(() => reject(new DomainError("engine-failed", { cause: "the engine process ended" })));
        const stop = () => {
          end();
          settle(() => reject(signal.reason));
        };
        const receive = (message: FromEngine) => {
          if (message.type === "ready" || message.type === "log" || message.type === "size" || message.id !== id)
            return;
          if (message.type === "progress") progress(message.progress);
          else if (message.type === "done") settle(() => resolve(message.outcome));
          else settle(() => reject(problemOf(message)));
        };
        current.on("message", receive);
        current.once("exit", lose);
        current.once("error", lose);
        if (signal.aborted) return stop();
        signal.addEventListener("abort", stop, { once: true });
        const message: ToEngine = { type: "run", id, task };
        current.send(message, (problem) => problem && lose());
      }),
  };
}

function problemOf(message: Extract<FromEngine, { type: "refused" | "failed" }>): DomainError {
  if (message.type === "failed") return new DomainError("engine-failed", { cause: message.message });
  const { code, reason, smallestBytes, cause } = message;
  return new DomainError(code, { reason, smallestBytes, cause });
}
