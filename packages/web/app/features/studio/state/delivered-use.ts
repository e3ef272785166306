import type { CreditUse } from "./credit-use.ts";
import type { StudioState } from "./studio-state.ts";

/**
 * The credits of a job, counted one by one as its pictures arrive: the server takes a batch's credits at once and
 * gives back at its end what failed. Undefined where no job told anything.
 */
export function deliveredUse({ credits, run, pictures }: StudioState): CreditUse | undefined {
  if (!credits) return undefined;
  const { charged, remaining, limit } = credits;
  const used = limit - remaining;
  if (!run || run.phase === "ended") return { used, limit };
  const delivered = pictures.filter(({ id, outcome }) => outcome.kind === "done" && run.ids.includes(id)).length;
  return { used: used - charged + Math.min(charged, delivered), limit };
}
