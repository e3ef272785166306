/** Counts calls by key in windows of a minute, in this process' memory. */
export function createCallLimit({ perMinute }: { perMinute: number }) {
  let window = 0;
  let counts = new Map<string, number>();
  return {
    /** Counts a call; answers in how many seconds there is room, 0 where there is. */
    add(key: string, nowMs: number): number {
      const current = Math.floor(nowMs / 60_000);
      if (current !== window) {
        window = current;
        counts = new Map();
      }
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return count > perMinute ? Math.ceil(((current + 1) * 60_000 - nowMs) / 1000) : 0;
    },
  };
}
