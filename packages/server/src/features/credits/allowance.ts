import {
  type AllowanceWindow,
  guestCreditsPerNetworkDay,
  hobbyAllowancesPerNetworkDay,
  limits,
  type TierName,
} from "@tintype/contract";
import { networksAround } from "../../platform/network.ts";

/** Whose credits are counted, and what decides how many there are. */
export type Holder = {
  key: string;
  tier: TierName;
  /** The network that the call comes from; guests and unverified accounts are counted by it a second time. */
  network?: string;
  /** Of a person: the account, which must exist when credits are charged. */
  accountId?: string;
  /** Of a person; left out where it plays no part. */
  emailVerified?: boolean;
  /** The API key that the call came by. */
  keyId?: string | undefined;
};

/**
 * The allowance of a Hobby account with an unverified address: a guest's, the whole one but at most so many a day
 * from one network, or the whole one.
 */
export type UnverifiedAccounts = "as-guest" | "by-network" | "freely";

/** How a holder is counted. */
export type Counting = {
  credits: number;
  window: AllowanceWindow;
  /** The second counter, a day's. */
  network?: { key: string; credits: number };
  /** Whether verifying the address brings more. */
  mustVerify: boolean;
};

/** The counters that a network's credits are counted in, with their bounds: its own, then those of the networks around it. */
export function networkCounters(network: { key: string; credits: number }): { key: string; credits: number }[] {
  const wider = networksAround(network.key).map(({ key, share }) => ({ key, credits: share * network.credits }));
  return [network, ...wider];
}

export type Counters = { day: string; dayUsed: number; month: string; monthUsed: number; totalUsed: number };
export type Usage = {
  used: number;
  limit: number;
  window: AllowanceWindow;
  fastUsed: number;
  fastLimit: number;
  mustVerify: boolean;
};

export function countingOf({ tier, network, emailVerified }: Holder, unverified: UnverifiedAccounts): Counting {
  const { credits, window } = limits[tier];
  const asGuest = network === undefined ? {} : { network: { key: network, credits: guestCreditsPerNetworkDay } };
  if (tier === "guest") return { credits, window, ...asGuest, mustVerify: false };
  const isFree = tier !== "hobby" || emailVerified !== false;
  if (isFree || unverified === "freely") return { credits, window, mustVerify: false };
  if (unverified === "as-guest")
    return { credits: limits.guest.credits, window: limits.guest.window, ...asGuest, mustVerify: true };
  // A counter of its own: what guests of the network use is another matter.
  const byNetwork = { key: `${network}:hobby`, credits: hobbyAllowancesPerNetworkDay * credits };
  return { credits, window, ...(network === undefined ? {} : { network: byNetwork }), mustVerify: false };
}

/** The counter of this window; one of an earlier window counts as nothing. */
export function usageOf(
  counters: Counters | undefined,
  { counting, tier, day, month }: { counting: Counting; tier: TierName; day: string; month: string },
): Usage {
  const { credits: limit, window, mustVerify } = counting;
  const { fastLanePerDay: fastLimit } = limits[tier];
  const dayUsed = counters && counters.day >= day ? counters.dayUsed : 0;
  const monthUsed = counters && counters.month >= month ? counters.monthUsed : 0;
  const counted = { ever: counters?.totalUsed ?? 0, month: monthUsed, day: dayUsed }[window];
  // Credits that an operator gave can bring a counter below zero: they stand on top of the allowance.
  const [used, given] = [Math.max(0, counted), Math.max(0, -counted)];
  const fastUsed = Math.min(Math.max(0, dayUsed), fastLimit);
  return { used, limit: limit + given, window, fastUsed, fastLimit, mustVerify };
}

/** The first moment of the next window, UTC; a guest's allowance is never renewed. */
export function windowEnd(window: "month" | "day", now: Date): Date;
export function windowEnd(window: AllowanceWindow, now: Date): Date | undefined;
export function windowEnd(window: AllowanceWindow, now: Date): Date | undefined {
  if (window === "ever") return undefined;
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  return new Date(window === "month" ? Date.UTC(year, month + 1, 1) : Date.UTC(year, month, day + 1));
}
