export type OneAtATime = {
  /** Begins the work; while it is under way, answers for the work that is. */
  start(): Promise<void>;
  /** When the work under way has ended, well or not. */
  settled(): Promise<void>;
};

/** Work that is not begun a second time while it is under way. */
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
