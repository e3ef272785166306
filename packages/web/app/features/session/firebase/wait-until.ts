type Options = {
  /** Calls `look` on each change until what it gives back is called. */
  changes(look: () => void): () => void;
  atMostMs: number;
};

/** Waits for something to hold, looking at each change, and no longer than that. */
export function waitUntil(holds: () => boolean, { changes, atMostMs }: Options): Promise<void> {
  return new Promise((resolve) => {
    if (holds() || atMostMs === 0) return resolve();
    const end = () => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    const timer = setTimeout(end, atMostMs);
    const stop = changes(() => holds() && end());
  });
}
