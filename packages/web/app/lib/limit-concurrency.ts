/** Runs the given functions in the order of the calls, at most `max` at a time. */
export function limitConcurrency(max: number): <Value>(run: () => Promise<Value>) => Promise<Value> {
  const waiting: Array<() => void> = [];
  let running = 0;
  return async (run) => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve));
    running += 1;
    try {
      return await run();
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  };
}
