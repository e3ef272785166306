import {
  type AllowanceWindow,
  type Credits,
  guestCreditsPerNetworkDay,
  hobbyAllowancesPerNetworkDay,
  limits,
  payingNetworkFactor,
  type TierName,
} from "@tintype/contract";
import { networksAround } from "../../platform/network.ts";

/** Whose credits are counted, and what determines how many they have. */
export type Holder = {
  key: string;
  tier: TierName;
  /** The network of the call. Guests and Hobby accounts are also counted by network. */
  network?: string;
  /** Set for a person: the account, which must exist when credits are charged. */
  accountId?: string;
  /** Set for a person, where it matters. */
  emailVerified?: boolean;
  /** The API key of the call. */
  keyId?: string | undefined;
  /** The most files that the key may process on a day (UTC), if it has a limit of its own. */
  keyDailyFiles?: number | undefined;
};

/** How accounts are counted. */
export type CountingRules = {
  /** Whether an account has a guest's allowance until its address is verified. */
  mustVerify: boolean;
  /** Whether the accounts of a network also share a limit per day. */
  perNetwork: boolean;
  /** Whether credits are only counted, and nobody's work is limited by them. */
  isUnlimited?: boolean;
};

/** Which counters and limits apply to a holder. */
export type AllowanceRule = {
  /** Null: without a limit. */
  credits: number | null;
  window: AllowanceWindow;
  /** The second counter, per day. */
  network?: NetworkAllowance;
  /** The network to mark as paying, at a charge by a paid plan. */
  payingKey?: string;
  /** Whether verifying the address increases the allowance. */
  mustVerify: boolean;
};

export type NetworkAllowance = {
  key: string;
  credits: number;
  /** Set if a paying network has more: the mark of those that pay, and their credits. */
  paying?: { key: string; credits: number };
};

/** The counters that a network's credits are counted in, with their limits: its own, then those of the enclosing prefixes. */
export function networkCounters({ key: network, credits, paying }: NetworkAllowance): NetworkAllowance[] {
  const marks = paying ? networksAround(paying.key) : [];
  return networksAround(network).map(({ key, share }, index) => {
    const mark = marks[index];
    return {
      key,
      credits: share * credits,
      ...(paying && mark ? { paying: { key: mark.key, credits: share * paying.credits } } : {}),
    };
  });
}

export type Counters = {
  day: string;
  dayUsed: number;
  dayGiven: number;
  month: string;
  monthUsed: number;
  monthGiven: number;
  totalUsed: number;
  totalGiven: number;
  /** What is left of grants in force. */
  granted: number;
};
export type Usage = {
  used: number;
  /** Null: without a limit. */
  limit: number | null;
  window: AllowanceWindow;
  fastUsed: number;
  fastLimit: number;
  mustVerify: boolean;
};

export function countingOf({ tier, network, emailVerified }: Holder, rules: CountingRules): AllowanceRule {
  if (rules.isUnlimited) return { credits: null, window: "month", mustVerify: false };
  const { credits, window } = limits[tier];
  const asGuest = network === undefined ? {} : { network: { key: network, credits: guestCreditsPerNetworkDay } };
  if (tier === "guest") return { credits, window, ...asGuest, mustVerify: false };
  if (tier === "hobby" && rules.mustVerify && emailVerified === false)
    return { credits: limits.guest.credits, window: limits.guest.window, ...asGuest, mustVerify: true };
  const whole = { credits, window, mustVerify: false };
  if (!rules.perNetwork || network === undefined) return whole;
  const payingKey = `${network}:paid`;
  if (tier !== "hobby") return { ...whole, payingKey };
  const shared = hobbyAllowancesPerNetworkDay * credits;
  // A separate counter: the network's guests are counted elsewhere.
  const byNetwork = {
    key: `${network}:hobby`,
    credits: shared,
    paying: { key: payingKey, credits: payingNetworkFactor * shared },
  };
  return { ...whole, network: byNetwork };
}

/** The counter of this window. One from an earlier window counts as zero. */
export function usageOf(
  counters: Counters | undefined,
  { counting, tier, day, month }: { counting: AllowanceRule; tier: TierName; day: string; month: string },
): Usage {
  const { credits: limit, window, mustVerify } = counting;
  const { fastLanePerDay: fastLimit } = limits[tier];
  const dayUsed = counters && counters.day >= day ? counters.dayUsed : 0;
  const { used, given } = windowOf(counters, { window, day, month });
  const granted = counters?.granted ?? 0;
  const fastUsed = Math.min(dayUsed, fastLimit);
  if (limit === null) return { used, limit, window, fastUsed, fastLimit, mustVerify };
  // A dearer plan earlier in the window can have used more than this one allows. Granted credits are spent on top of that.
  const beyond = given > 0 || granted > 0 ? Math.max(0, used - given - limit) : 0;
  return { used, limit: limit + beyond + given + granted, window, fastUsed, fastLimit, mustVerify };
}

/** What was used in the window, and how much of it beyond the allowance. A counter of an earlier window counts as zero. */
function windowOf(
  counters: Counters | undefined,
  { window, day, month }: { window: AllowanceWindow; day: string; month: string },
): { used: number; given: number } {
  if (!counters) return { used: 0, given: 0 };
  if (window === "ever") return { used: counters.totalUsed, given: counters.totalGiven };
  if (window === "month")
    return counters.month >= month ? { used: counters.monthUsed, given: counters.monthGiven } : { used: 0, given: 0 };
  return counters.day >= day ? { used: counters.dayUsed, given: counters.dayGiven } : { used: 0, given: 0 };
}

/** How many credits the allowance itself has left, without grants. */
export function allowanceLeft(
  counters: Counters | undefined,
  { credits, window, day, month }: { credits: number; window: AllowanceWindow; day: string; month: string },
): number {
  const { used, given } = windowOf(counters, { window, day, month });
  return Math.max(0, credits - used + given);
}

/** How many are left; null without a limit. */
export const creditsLeft = ({ used, limit }: Pick<Usage, "used" | "limit">): number | null =>
  limit === null ? null : Math.max(0, limit - used);

/** A job's cost, and its holder's credits after it. */
export type JobCost = { charged: number; used: number; remaining: number | null; limit: number | null };

export const jobCostOf = (charged: number, usage: Pick<Usage, "used" | "limit">): JobCost => ({
  charged,
  used: usage.used,
  remaining: creditsLeft(usage),
  limit: usage.limit,
});

/** What its caller sees of it: nothing where credits have no limit. */
export const creditsShown = ({ charged, remaining, limit }: JobCost): Credits | undefined =>
  remaining === null || limit === null ? undefined : { charged, remaining, limit };

/** The first moment of the next window, UTC; a guest's allowance is never renewed. */
export function windowEnd(window: "month" | "day", now: Date): Date;
export function windowEnd(window: AllowanceWindow, now: Date): Date | undefined;
export function windowEnd(window: AllowanceWindow, now: Date): Date | undefined {
  if (window === "ever") return undefined;
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  return new Date(window === "month" ? Date.UTC(year, month + 1, 1) : Date.UTC(year, month, day + 1));
}
