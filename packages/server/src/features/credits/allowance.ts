import { type AllowanceWindow, guestCreditsPerNetworkDay, limits, type TierName } from "@tintype/contract";

/** Whoever credits are counted for. A guest is counted a second time with everybody of the same network. */
export type Holder = { key: string; tier: TierName; network?: string };

export type Counters = { day: string; dayUsed: number; month: string; monthUsed: number; totalUsed: number };
export type Usage = { used: number; limit: number; window: AllowanceWindow; fastUsed: number; fastLimit: number };

export const networkAllowance = { credits: guestCreditsPerNetworkDay, window: "day" } as const;

/** What of the counters counts on this tier; a counter of an earlier window counts as nothing. */
export function usageOf(
  counters: Counters | undefined,
  { tier, day, month }: { tier: TierName; day: string; month: string },
): Usage {
  const { credits: limit, window, fastLanePerDay: fastLimit } = limits[tier];
  const dayUsed = counters && counters.day >= day ? counters.dayUsed : 0;
  const monthUsed = counters && counters.month >= month ? counters.monthUsed : 0;
  const used = { ever: counters?.totalUsed ?? 0, month: monthUsed, day: dayUsed }[window];
  return { used, limit, window, fastUsed: Math.min(dayUsed, fastLimit), fastLimit };
}

/** The first moment of the next window, UTC; a guest's allowance never starts anew. */
export function windowEnd(window: AllowanceWindow, now: Date): Date | undefined {
  if (window === "ever") return undefined;
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  return new Date(window === "month" ? Date.UTC(year, month + 1, 1) : Date.UTC(year, month, day + 1));
}
