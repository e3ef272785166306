/** Storage key of unfinished batches. The server keeps their results for 15 minutes. */
export const jobsKey = "tintype.jobs";
/** Storage key of the number of results that the browser keeps. */
export const cachedResultsKey = "tintype.kept";

/** Session storage key of the paths of this tab's unsent pictures in their cache, one a line. */
export const unsentKey = "tintype.unsent";

/** Whether an earlier visit left something under this key. Needs none of the code that uses it. */
export function hasStored(key: typeof jobsKey | typeof cachedResultsKey | typeof unsentKey): boolean {
  try {
    return (localStorage.getItem(key) ?? sessionStorage.getItem(key) ?? "[]") !== "[]";
  } catch {
    return false; // storage access is denied
  }
}

/** How many images a reload of this page will bring back: unsent ones, and those of the latest unfinished batch. */
export function countEarlierImages(): number {
  try {
    const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[]; // of this type
    const unsent = navigation?.type === "reload" ? (sessionStorage.getItem(unsentKey)?.split("\n").length ?? 0) : 0;
    const jobs: readonly { batch?: string; count?: number }[] = JSON.parse(localStorage.getItem(jobsKey) ?? "[]");
    const latest = jobs.filter(({ batch }) => batch === jobs.at(-1)?.batch);
    return latest.reduce((sum, { count = 0 }) => sum + count, unsent);
  } catch {
    return 0; // storage access is denied, or a value that is not ours
  }
}
