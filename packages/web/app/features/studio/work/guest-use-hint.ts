type Use = { used: number; limit: number };

/** A guest's credits as this browser last heard of them: another visit and another tab show them without asking. */
const useKey = "tintype.guest";

export function readGuestUse(): Use | undefined {
  try {
    const [used, limit] = (localStorage.getItem(useKey) ?? "").split("/").map(Number);
    return used !== undefined && limit !== undefined && used >= 0 && limit > 0 ? { used, limit } : undefined;
  } catch {
    return undefined;
  }
}

export function writeGuestUse({ used, limit }: Use): void {
  try {
    localStorage.setItem(useKey, `${used}/${limit}`);
  } catch {
    // Denied: the header then shows what docs/product.md gives before the server has answered.
  }
}

/** Calls back when another tab has heard of it; gives the function that ends it. */
export function hearGuestUse(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => key === useKey && listener();
  window.addEventListener("storage", onStorage);
  return () => window.removeEventListener("storage", onStorage);
}
