/** Size and age limits of the results stored between visits. */
export const maxCacheBytes = 500e6;
export const maxCacheHours = 24;
/** Share of the browser's storage quota for this site. */
const maxQuotaShare = 0.25;

type Entry = { id: string; sizeBytes: number; keptAtMs: number; kind: "result" | "batch"; isSaved: boolean };

export const cacheLimitBytes = (quotaBytes: number | undefined): number =>
  Math.min(maxCacheBytes, (quotaBytes ?? Number.POSITIVE_INFINITY) * maxQuotaShare);

/**
 * Ids of the entries to evict before `neededBytes` more can be stored: first all expired ones, then, until there is room, the
 * originals of batches, saved results and other results, oldest first within each kind.
 */
export function entriesToEvict(
  entries: readonly Entry[],
  { nowMs, limitBytes, neededBytes = 0 }: { nowMs: number; limitBytes: number; neededBytes?: number },
): string[] {
  const isOld = ({ keptAtMs }: Entry) => nowMs - keptAtMs >= maxCacheHours * 3600_000;
  const evicted = entries.filter(isOld).map(({ id }) => id);
  const left = entries.filter((entry) => !isOld(entry));
  const rank = ({ kind, isSaved }: Entry) => (kind === "batch" ? 0 : isSaved ? 1 : 2);
  let bytes = neededBytes + left.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  for (const { id, sizeBytes } of left.toSorted(
    (one, other) => rank(one) - rank(other) || one.keptAtMs - other.keptAtMs,
  )) {
    if (bytes <= limitBytes) break;
    evicted.push(id);
    bytes -= sizeBytes;
  }
  return evicted;
}
