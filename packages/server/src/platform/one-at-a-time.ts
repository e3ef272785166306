export type OneAtATime = {
  /** Starts the work, or joins a run in progress. */
  start(): Promise<void>;
  /** Resolves when the current run has ended, successfully or not. */
  settled(): Promise<void>;
};

/** Single flight: calls during a run share it. */
export function oneAtATime(work: () => Promise<void>): OneAtATime {
  let running: Promise<void> | undefined;
  return {
    start() {
      running ??= work().finally(() => {
        running = undefined;
      });
      return running;
    },
    settled: async () => running?.catch(() => {}),
  };
}
