/** The keys under which a page finds batches that were left; the server keeps their results for 15 minutes. */
export const jobsKey = "tintype.jobs";
/** How many results the browser keeps. */
export const keptKey = "tintype.kept";

/** Of this tab alone, in its session storage: its name, while it keeps pictures that were not sent. */
export const unsentKey = "tintype.unsent";

/** Whether an earlier visit has left something under this key, read without what it takes to use it. */
export function hasLeft(key: typeof jobsKey | typeof keptKey | typeof unsentKey): boolean {
  try {
    return (localStorage.getItem(key) ?? sessionStorage.getItem(key) ?? "[]") !== "[]";
  } catch {
    return false; // storage is denied
  }
}
