import { deliveredUse } from "../state/credit-use.ts";
import type { StudioParts } from "../studio-parts.ts";

/** Tells the page of each credit used, as its picture is delivered. */
export function tellCredits({ store, host }: Pick<StudioParts, "store" | "host">): () => void {
  let told = "";
  return () => {
    const usage = deliveredUse(store.read());
    const next = JSON.stringify(usage);
    if (!usage || next === told) return;
    told = next;
    host.creditsUsed(usage);
  };
}
