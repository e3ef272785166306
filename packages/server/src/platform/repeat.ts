export type Repetition = {
  /** Runs the work once from start to end: one run in progress may have read too early, so the next is awaited too. */
  run(): Promise<void>;
  /** Starts no further run, and waits for the one in progress, successful or not. */
  stop(): Promise<void>;
};

/** Runs the work again and again, one run at a time. What is due during a run joins it. */
export function repeat(
  work: () => Promise<unknown>,
  { intervalMs, onProblem }: { intervalMs: number; onProblem(problem: unknown): void },
): Repetition {
  let running: Promise<void> | undefined;
  const start = async () => {
    running ??= (async () => void (await work()))().finally(() => {
      running = undefined;
    });
    await running;
  };
  const settled = async () => running?.catch(() => {});
  const timer = setInterval(() => void start().catch(onProblem), intervalMs);
  return {
    async run() {
      await settled();
      await start();
    },
    async stop() {
      clearInterval(timer);
      await settled();
    },
  };
}

/** Runs the work one call at a time. Calls during a run share the next one. */
export function inTurn<Answer>(work: () => Promise<Answer>): () => Promise<Answer> {
  let running: Promise<Answer | undefined> = Promise.resolve(undefined);
  let next: Promise<Answer> | undefined;
  return () => {
    next ??= running.then(() => {
      next = undefined;
      const run = work();
      running = run.catch(() => undefined);
      return run;
    });
    return next;
  };
}
