import type { CreditUse } from "../../../lib/credit-shortage.ts";

/** A guest's credits as this browser last received them, shown on later visits and in other tabs without a request. */
const useKey = "tintype.guest";

export function readGuestUse(): CreditUse | undefined {
  try {
    const [used, limit] = (localStorage.getItem(useKey) ?? "").split("/").map(Number);
    return used !== undefined && limit !== undefined && used >= 0 && limit > 0 ? { used, limit } : undefined;
  } catch {
    return undefined;
  }
}

export function writeGuestUse({ used, limit }: CreditUse): void {
  try {
    localStorage.setItem(useKey, `${used}/${limit}`);
  } catch {
    // Storage access is denied: until the server answers, the header shows the default of docs/product.md.
  }
}

/** Calls back when another tab writes the usage. Returns the unsubscribe function. */
export function hearGuestUse(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => key === useKey && listener();
  window.addEventListener("storage", onStorage);
  return () => window.removeEventListener("storage", onStorage);
}
