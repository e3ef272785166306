import type { CreditUsage } from "../../../lib/credit-shortage.ts";
import { formatNumber } from "../../../lib/size.ts";
import type { StudioState } from "./studio-state.ts";

/** The used credits known to this page, including all of a running batch's. */
export function knownUsage({ credits, allowance, caller, guestUsage }: StudioState): CreditUsage | undefined {
  if (credits) return { used: credits.limit - credits.remaining, limit: credits.limit };
  return allowance ? allowance.usage : caller?.tier === "guest" ? guestUsage : undefined;
}

/** `4 of 5 left`; undefined if unknown. */
export function creditsLeft(state: StudioState): string | undefined {
  const usage = knownUsage(state);
  return usage && `${formatNumber(Math.max(0, usage.limit - usage.used))} of ${formatNumber(usage.limit)} left`;
}

/**
 * The used credits, counting a running batch's one by one as its pictures arrive: the server charges a batch upfront and
 * refunds the failed ones at its end. Undefined until a job has reported credits.
 */
export function deliveredUsage({ credits, run, pictures }: StudioState): CreditUsage | undefined {
  if (!credits) return undefined;
  const { charged, remaining, limit } = credits;
  const used = limit - remaining;
  if (!run || run.phase === "ended") return { used, limit };
  const delivered = pictures.filter(({ id, outcome }) => outcome.kind === "done" && run.ids.includes(id)).length;
  return { used: used - charged + Math.min(charged, delivered), limit };
}
