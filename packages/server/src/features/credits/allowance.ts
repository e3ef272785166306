import {
  type AllowanceWindow,
  guestCreditsPerNetworkDay,
  hobbyAllowancesPerNetworkDay,
  limits,
  type TierName,
} from "@tintype/contract";
import { networksAround } from "../../platform/network.ts";

/** Whose credits are counted, and what determines how many they have. */
export type Holder = {
  key: string;
  tier: TierName;
  /** The network of the call. Guests and unverified accounts are also counted by network. */
  network?: string;
  /** Set for a person: the account, which must exist when credits are charged. */
  accountId?: string;
  /** Set for a person, where it matters. */
  emailVerified?: boolean;
  /** The API key of the call. */
  keyId?: string | undefined;
};

/**
 * The allowance of a Hobby account with an unverified address: a guest's; a full one, limited per network and day; or a full one.
 */
export type UnverifiedAccounts = "as-guest" | "by-network" | "freely";

/** Which counters and limits apply to a holder. */
export type AllowanceRule = {
  credits: number;
  window: AllowanceWindow;
  /** The second counter, per day. */
  network?: { key: string; credits: number };
  /** Whether verifying the address increases the allowance. */
  mustVerify: boolean;
};

/** The counters that a network's credits are counted in, with their limits: its own, then those of the enclosing prefixes. */
export function networkCounters(network: { key: string; credits: number }): { key: string; credits: number }[] {
  return networksAround(network.key).map(({ key, share }) => ({ key, credits: share * network.credits }));
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

export function countingOf({ tier, network, emailVerified }: Holder, unverified: UnverifiedAccounts): AllowanceRule {
  const { credits, window } = limits[tier];
  const asGuest = network === undefined ? {} : { network: { key: network, credits: guestCreditsPerNetworkDay } };
  if (tier === "guest") return { credits, window, ...asGuest, mustVerify: false };
  const isFree = tier !== "hobby" || emailVerified !== false;
  if (isFree || unverified === "freely") return { credits, window, mustVerify: false };
  if (unverified === "as-guest")
    return { credits: limits.guest.credits, window: limits.guest.window, ...asGuest, mustVerify: true };
  // A separate counter: the network's guests are counted elsewhere.
  const byNetwork = { key: `${network}:hobby`, credits: hobbyAllowancesPerNetworkDay * credits };
  return { credits, window, ...(network === undefined ? {} : { network: byNetwork }), mustVerify: false };
}

/** The counter of this window. One from an earlier window counts as zero. */
export function usageOf(
  counters: Counters | undefined,
  { counting, tier, day, month }: { counting: AllowanceRule; tier: TierName; day: string; month: string },
): Usage {
  const { credits: limit, window, mustVerify } = counting;
  const { fastLanePerDay: fastLimit } = limits[tier];
  const dayUsed = counters && counters.day >= day ? counters.dayUsed : 0;
  const monthUsed = counters && counters.month >= month ? counters.monthUsed : 0;
  const counted = { ever: counters?.totalUsed ?? 0, month: monthUsed, day: dayUsed }[window];
  // An operator's grant can bring a counter below zero: such credits are added to the allowance.
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
