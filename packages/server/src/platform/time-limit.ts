/** Other programs kept a process back that had less of a core than this; its picture is not dear for that. */
const fairShare = 0.5;
/** Times the limit: a process that hangs uses no processor either. */
const mostPatience = 4;

export type TimeLimit = {
  limitMs: number;
  /** Processor time of the process so far, ms; undefined where the machine does not tell. */
  usedMs(): number | undefined;
  onTooLong(): void;
};

/**
 * Calls `onTooLong` once after `limitMs`, later where the process had little of the processor meanwhile, and at the latest
 * after four times as long. Gives its end.
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
