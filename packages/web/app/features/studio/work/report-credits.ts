import { deliveredUsage, knownUsage } from "../state/credits.ts";
import type { Run } from "../state/studio-state.ts";
import { writeGuestUsage } from "./guest-usage-hint.ts";
import type { StudioParts } from "./studio-parts.ts";

type Options = Pick<StudioParts, "store" | "host"> & {
  /** Fetches the usage from the server. */
  fetchUsage(): Promise<void>;
};

/**
 * Reports each used credit to the page as its picture is delivered. A batch may end without reporting credits, if it was
 * done before anyone listened or was refused; then the server is asked.
 */
export function reportCredits({ store, host, fetchUsage: ask }: Options): () => void {
  let reported = "";
  let ended: Run | undefined;
  return () => {
    const state = store.read();
    const { run, credits } = state;
    if (run?.phase === "ended" && run !== ended) {
      ended = run;
      if (!credits) void ask();
    }
    const usage = deliveredUsage(state);
    const next = JSON.stringify(usage);
    if (!usage || next === reported) return;
    reported = next;
    host.creditsUsed(usage);
  };
}

/** Stores a guest's credits whenever a job or the server reports them, so that a page left mid-batch has counted the batch too. */
export function rememberGuestUsage({ read, dispatch }: StudioParts["store"]): () => void {
  return () => {
    const state = read();
    if (state.caller?.tier !== "guest") return;
    const usage = knownUsage(state);
    if (!usage || (usage.used === state.guestUsage.used && usage.limit === state.guestUsage.limit)) return;
    writeGuestUsage(usage);
    dispatch({ type: "usage-remembered", usage: { used: usage.used, limit: usage.limit } });
  };
}
