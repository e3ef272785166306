// The engine process: receives tasks from the server, one at a time, and works on them apart from everything else.
import { DomainError } from "@tintype/contract";
import { createImaging, type EngineConfig } from "./imaging.ts";
import type { FromEngine, Progress, ToEngine } from "./task.ts";

// Written by `engineArguments` in the server, whose configuration is parsed: nobody else starts this process.
const config = JSON.parse(process.argv[2] ?? "{}") as EngineConfig;
/** The server may be gone while we work; then there is nobody to tell. */
const tell = (message: FromEngine) => {
  if (process.connected) process.send?.(message);
};
const imaging = createImaging({ ...config, log: (line) => tell({ type: "said", line }) });
const running = new Map<number, AbortController>();

async function run({ id, task }: Extract<ToEngine, { type: "run" }>): Promise<void> {
  const abort = new AbortController();
  running.set(id, abort);
  try {
    const outcome = await imaging.run(task, {
      signal: abort.signal,
      progress: atIntervals((progress) => tell({ type: "progress", id, progress })),
    });
    tell({ type: "done", id, outcome });
  } catch (problem) {
    const said = problem instanceof Error ? (problem.stack ?? problem.message) : String(problem);
    if (problem instanceof DomainError)
      tell({
        type: "refused",
        id,
        code: problem.code,
        detail: problem.detail,
        ...(problem.cause ? { cause: String(problem.cause) } : {}),
      });
    else tell({ type: "failed", id, message: said });
  } finally {
    running.delete(id);
  }
}

/** Of a small picture nothing is told: it is done before anybody could look. */
const progressGapMs = 50;

function atIntervals(report: (progress: Progress) => void): (progress: Progress) => void {
  let told = { at: performance.now(), stage: undefined as string | undefined };
  return (progress) => {
    const now = performance.now();
    if (progress.stage === told.stage && now - told.at < progressGapMs) return;
    told = { at: now, stage: progress.stage };
    report(progress);
  };
}

process.on("message", (message: ToEngine) => {
  if (message.type === "run") void run(message);
  else running.get(message.id)?.abort();
});
// A server that dies leaves no engine behind.
process.on("disconnect", () => process.exit(0));
tell({ type: "ready" });
