// The engine process: receives tasks from the server, one at a time, and isolates the work on them.
import { DomainError } from "@tintype/contract";
import { createImaging, type EngineConfig } from "./imaging.ts";
import type { FromEngine, Progress, ToEngine } from "./task.ts";

// Only the server starts this process, by `engineArguments`, with a configuration that it has parsed.
const config = JSON.parse(process.argv[2] ?? "{}") as EngineConfig;
/** Drops the message if the server has exited meanwhile. */
const send = (message: FromEngine) => {
  if (process.connected) process.send?.(message);
};
const imaging = createImaging({ ...config, log: (line) => send({ type: "log", line }) });
const running = new Map<number, AbortController>();

async function run({ id, task }: Extract<ToEngine, { type: "run" }>): Promise<void> {
  const abort = new AbortController();
  running.set(id, abort);
  try {
    const outcome = await imaging.run(task, {
      signal: abort.signal,
      progress: atIntervals((progress) => send({ type: "progress", id, progress })),
      reportMegapixels: (megapixels) => send({ type: "size", id, megapixels }),
    });
    send({ type: "done", id, outcome });
  } catch (problem) {
    const report = problem instanceof Error ? (problem.stack ?? problem.message) : String(problem);
    if (problem instanceof DomainError)
      send({
        type: "refused",
        id,
        code: problem.code,
        reason: problem.reason,
        ...(problem.smallestBytes === undefined ? {} : { smallestBytes: problem.smallestBytes }),
        ...(problem.cause ? { cause: String(problem.cause) } : {}),
      });
    else send({ type: "failed", id, message: report });
  } finally {
    running.delete(id);
  }
}

/** The shortest interval between progress reports. A small picture is done before the first one. */
const progressGapMs = 50;

function atIntervals(report: (progress: Progress) => void): (progress: Progress) => void {
  let last = { at: performance.now(), stage: undefined as Progress["stage"] };
  return (progress) => {
    const now = performance.now();
    if (progress.stage === last.stage && now - last.at < progressGapMs) return;
    last = { at: now, stage: progress.stage };
    report(progress);
  };
}

process.on("message", (message: ToEngine) => {
  if (message.type === "run") void run(message);
  else running.get(message.id)?.abort();
});
// An engine must not outlive its server.
process.on("disconnect", () => process.exit(0));
send({ type: "ready" });
// Concurrent with the first pictures: a cut-out requested meanwhile waits for the same model. A failure shows at the
// next use.
if (config.isWarm) void imaging.warm().catch((problem: unknown) => send({ type: "log", line: String(problem) }));
