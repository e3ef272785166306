import { randomId } from "../../../lib/random-id.ts";

/** The keys under which a page finds batches that were left; the server keeps their results for 15 minutes. */
export const jobsKey = "tintype.jobs";
/** How many results the browser keeps. */
export const keptKey = "tintype.kept";

/** Whether an earlier visit has left something under this key, read without what it takes to use it. */
export function hasLeft(key: typeof jobsKey | typeof keptKey): boolean {
  try {
    return (localStorage.getItem(key) ?? "[]") !== "[]";
  } catch {
    return false; // storage is denied
  }
}

/** Of this tab alone: its name, while it keeps pictures that were not sent. */
const unsentKey = "tintype.unsent";

/** The tab's name among the pictures that are kept for a reload. */
export function unsentTab(): string {
  try {
    return sessionStorage.getItem(unsentKey) ?? madeName;
  } catch {
    return madeName;
  }
}
const madeName = randomId();

export function noteUnsent(hasAny: boolean): void {
  try {
    if (hasAny) sessionStorage.setItem(unsentKey, unsentTab());
    else sessionStorage.removeItem(unsentKey);
  } catch {
    // storage is denied: a reload finds nothing
  }
}

/** Whether the page before, in this tab, had pictures that were not sent. */
export function hasUnsent(): boolean {
  try {
    return sessionStorage.getItem(unsentKey) !== null;
  } catch {
    return false;
  }
}

/** A page that was opened anew begins without the pictures of the one before. */
export function isReload(): boolean {
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[]; // of this type
  return navigation?.type === "reload";
}
