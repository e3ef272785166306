import { deliveredUse, knownUse } from "../state/credits.ts";
import type { Run } from "../state/studio-state.ts";
import { writeGuestUse } from "./guest-use-hint.ts";
import type { StudioParts } from "./studio-parts.ts";

type Options = Pick<StudioParts, "store" | "host"> & {
  /** Fetches the usage from the server. */
  ask(): Promise<void>;
};

/**
 * Reports each used credit to the page as its picture is delivered. A batch may end without reporting credits, if it was
 * done before anyone listened or was refused; then the server is asked.
 */
export function tellCredits({ store, host, ask }: Options): () => void {
  let told = "";
  let ended: Run | undefined;
  return () => {
    const state = store.read();
    const { run, credits } = state;
    if (run?.phase === "ended" && run !== ended) {
      ended = run;
      if (!credits) void ask();
    }
    const usage = deliveredUse(state);
    const next = JSON.stringify(usage);
    if (!usage || next === told) return;
    told = next;
    host.creditsUsed(usage);
  };
}

/** Stores a guest's credits whenever a job or the server reports them, so that a page left mid-batch has counted the batch too. */
export function rememberGuestUse({ read, dispatch }: StudioParts["store"]): () => void {
  return () => {
    const state = read();
    if (state.caller?.tier !== "guest") return;
    const use = knownUse(state);
    if (!use || (use.used === state.guestUse.used && use.limit === state.guestUse.limit)) return;
    writeGuestUse(use);
    dispatch({ type: "usage-remembered", usage: { used: use.used, limit: use.limit } });
  };
}
