import { deliveredUse, knownUse } from "../state/credits.ts";
import type { Run } from "../state/studio-state.ts";
import { writeGuestUse } from "./guest-use-hint.ts";
import type { StudioParts } from "./studio-parts.ts";

type Options = Pick<StudioParts, "store" | "host"> & {
  /** Asks the server what is used. */
  ask(): Promise<void>;
};

/**
 * Tells the page of each credit used, as its picture is delivered. A batch may end without a word about credits: it was
 * done before anybody listened, or refused.
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

/** Writes a guest's credits down whenever a job or the server tells them: a page left halfway has a batch's taken too. */
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
