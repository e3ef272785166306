import type { CreditUsage } from "../../../lib/credit-shortage.ts";

/** A guest's credits as this browser last received them, shown on later visits and in other tabs without a request. */
const usageKey = "tintype.guest";

export function readGuestUsage(): CreditUsage | undefined {
  try {
    const [used, limit] = (localStorage.getItem(usageKey) ?? "").split("/").map(Number);
    return used !== undefined && limit !== undefined && used >= 0 && limit > 0 ? { used, limit } : undefined;
  } catch {
    return undefined;
  }
}

export function writeGuestUsage({ used, limit }: CreditUsage): void {
  try {
    localStorage.setItem(usageKey, `${used}/${limit}`);
  } catch {
    // Storage access is denied: until the server answers, the header shows the default of docs/product.md.
  }
}

/** Calls back when another tab writes the usage. Returns the unsubscribe function. */
export function onGuestUsageChange(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => key === usageKey && listener();
  window.addEventListener("storage", onStorage);
  return () => window.removeEventListener("storage", onStorage);
}
