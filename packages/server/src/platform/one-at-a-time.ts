export type OneAtATime = {
  /** Begins the work; while it is under way, answers for the work that is. */
  start(): Promise<void>;
  /** When the work under way has ended, well or not. */
  settled(): Promise<void>;
};

/** Single flight: calls while the work is under way share it. */
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
