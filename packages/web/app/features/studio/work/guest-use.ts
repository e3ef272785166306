import type { Store } from "../../../lib/store.ts";
import { writeGuestUse } from "../guest-use-hint.ts";
import { deliveredUse } from "../state/delivered-use.ts";
import type { StudioEvent } from "../state/studio-event.ts";
import type { StudioState } from "../state/studio-state.ts";

/** Writes a guest's credits down whenever a job or the server tells them. */
export function rememberGuestUse({ read, dispatch }: Store<StudioState, StudioEvent>): () => void {
  return () => {
    const state = read();
    if (state.caller?.tier !== "guest") return;
    const use = deliveredUse(state) ?? state.allowance?.usage;
    if (!use || (use.used === state.guestUse.used && use.limit === state.guestUse.limit)) return;
    writeGuestUse(use);
    dispatch({ type: "usage-remembered", usage: { used: use.used, limit: use.limit } });
  };
}
