/** Below this share of CPU the process was starved: do not charge it wall time. */
const fairShare = 0.5;
/** Maximum multiple of the limit: a hanging process uses no CPU time either. */
const maxStretch = 4;

export type TimeLimit = {
  limitMs: number;
  /** CPU time of the process so far, ms; undefined where the system does not report it. */
  usedMs(): number | undefined;
  onTooLong(): void;
};

/**
 * Calls `onTooLong` once after `limitMs`, or later if the process was starved of CPU, but at most four times as late.
 * Returns a function that stops the watch.
 */
export function watchTime({ limitMs, usedMs, onTooLong }: TimeLimit): () => void {
  const before = usedMs() ?? 0;
  const latest = performance.now() + limitMs * maxStretch;
  const check = () => {
    const used = (usedMs() ?? Number.POSITIVE_INFINITY) - before;
    const leftMs = Math.min(limitMs - used, latest - performance.now());
    if (used >= limitMs * fairShare || leftMs <= 0) onTooLong();
    else timer = setTimeout(check, leftMs);
  };
  let timer = setTimeout(check, limitMs);
  return () => clearTimeout(timer);
}
