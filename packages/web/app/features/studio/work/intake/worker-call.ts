/** An idle worker is terminated after this time, which frees its memory. */
const idleTimeoutMs = 5_000;
/** Without a first answer by then, the worker's script is taken to be unloadable. */
const firstResponseTimeoutMs = 15_000;
/** After a worker failed to load, the page does the work itself for this long. */
const failurePauseMs = 60_000;

/**
 * Calls a worker; it answers each call on the port sent with it. Resolves to undefined if the worker fails or the browser lacks
 * module workers. `start` creates the worker, which is a module.
 */
export function createWorkerCall<Question, Answer>(
  start: () => Worker,
): (question: Question) => Promise<Answer | undefined> {
  let worker: Worker | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasAnswered = false;
  let pausedUntil = 0;
  const waiting = new Set<(value: undefined) => void>();

  function end() {
    if (worker && !hasAnswered) pausedUntil = Date.now() + failurePauseMs;
    worker?.terminate();
    worker = undefined;
    for (const settle of waiting) settle(undefined);
    waiting.clear();
  }

  return async (question) => {
    if (Date.now() < pausedUntil) return undefined;
    const { port1: port, port2 } = new MessageChannel();
    return new Promise((resolve) => {
      const settle = (value: Answer | undefined) => {
        port.close();
        waiting.delete(settle);
        clearTimeout(timer);
        if (waiting.size === 0) timer = setTimeout(end, idleTimeoutMs);
        resolve(value);
      };
      waiting.add(settle);
      port.onmessage = ({ data }: MessageEvent<Answer | undefined>) => {
        hasAnswered = true;
        settle(data);
      };
      if (waiting.size === 1) clearTimeout(timer);
      try {
        if (!worker) {
          worker = start();
          hasAnswered = false;
          timer = setTimeout(end, firstResponseTimeoutMs);
        }
        worker.onerror = end;
        worker.postMessage(question, [port2]);
      } catch {
        settle(undefined);
      }
    });
  };
}
