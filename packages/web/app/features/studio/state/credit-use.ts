import { formatNumber } from "../../../lib/size.ts";
import type { StudioState } from "./studio-state.ts";

export type CreditUse = { used: number; limit: number };

type Known = Pick<StudioState, "credits" | "allowance" | "caller" | "guestUse">;

/** The credits used as far as this page knows, a running batch whole. */
export function knownUse({ credits, allowance, caller, guestUse }: Known): CreditUse | undefined {
  if (credits) return { used: credits.limit - credits.remaining, limit: credits.limit };
  return allowance?.usage ?? (caller?.tier === "guest" ? guestUse : undefined);
}

/** `4 of 5 left`, or nothing where it is not known. */
export function leftOf(known: Known): string | undefined {
  const use = knownUse(known);
  return use && `${formatNumber(Math.max(0, use.limit - use.used))} of ${formatNumber(use.limit)} left`;
}
