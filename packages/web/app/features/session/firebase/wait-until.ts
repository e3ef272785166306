type Options = {
  /** Calls `look` on each change until the returned function is called. */
  changes(look: () => void): () => void;
  atMostMs: number;
};

/** Waits for a condition, checking it on each change, for at most `atMostMs`. */
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
