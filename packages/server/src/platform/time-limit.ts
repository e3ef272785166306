/** Below this share of CPU the process was starved: do not charge it wall time. */
const fairShare = 0.5;
/** Times the limit, at most: a process that hangs uses no CPU time either. */
const mostPatience = 4;

export type TimeLimit = {
  limitMs: number;
  /** CPU time of the process so far, ms; undefined where the system does not report it. */
  usedMs(): number | undefined;
  onTooLong(): void;
};

/**
 * Calls `onTooLong` once after `limitMs`, later where the process was starved of CPU, and at the latest after four times as
 * long. Answers how to stop it.
 */
export function watchTime({ limitMs, usedMs, onTooLong }: TimeLimit): () => void {
  const before = usedMs() ?? 0;
  const latest = performance.now() + limitMs * mostPatience;
  const look = () => {
    const used = (usedMs() ?? Number.POSITIVE_INFINITY) - before;
    const leftMs = Math.min(limitMs - used, latest - performance.now());
    if (used >= limitMs * fairShare || leftMs <= 0) onTooLong();
    else timer = setTimeout(look, leftMs);
  };
  let timer = setTimeout(look, limitMs);
  return () => clearTimeout(timer);
}
