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
