import { networksAround } from "../network.ts";

export type RateRule = {
  limit: number;
  windowMs: number;
  /** Calls to count together, all or none. Default: 1. Negative: calls that turned out not to count. */
  calls?: number;
};
export type RateVerdict = {
  isAllowed: boolean;
  /** Calls left in the window. */
  remaining: number;
  /** Seconds until there is room again; 0 if the call was allowed. */
  retryAfterSeconds: number;
  /** Seconds until the window ends, at least 1. */
  resetSeconds: number;
};

/**
 * Counts calls by key in a window that starts with the first of them, across all processes. If the store does not respond,
 * each process counts alone: an outage never stops a caller.
 */
export type RateLimits = {
  /** Counts a call if the rule allows it. `key` contains no personal data: hash an address first. */
  take(key: string, rule: RateRule): Promise<RateVerdict>;
  close(): Promise<void>;
};

/** Counts calls of an IPv6 network in each of the networks around it, see `networksAround`. */
export function countWiderNetworks(rateLimits: RateLimits): RateLimits {
  return {
    ...rateLimits,
    async take(key, rule) {
      const [own, ...wider] = networksAround(key);
      const verdict = await rateLimits.take(own?.key ?? key, rule);
      // From narrow to wide: a call that one refuses is not counted by the next.
      for (const around of verdict.isAllowed ? wider : []) {
        const verdictOfWider = await rateLimits.take(around.key, { ...rule, limit: rule.limit * around.share });
        if (!verdictOfWider.isAllowed) return verdictOfWider;
      }
      return verdict;
    },
  };
}
