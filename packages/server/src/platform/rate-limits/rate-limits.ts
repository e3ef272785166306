import { networksAround } from "../network.ts";

export type RateRule = {
  limit: number;
  windowMs: number;
  /** Calls to count at once, all of them or none; 1 where left out. */
  calls?: number;
};
export type RateVerdict = {
  isAllowed: boolean;
  /** Calls left in the window. */
  remaining: number;
  /** Seconds until there is room again; 0 where the call was allowed. */
  retryAfterSeconds: number;
  /** Seconds until the window ends, at least 1. */
  resetSeconds: number;
};

/**
 * Counts calls by key in a window that begins with the first of them, in all processes together.
 * A store that does not answer never stops a caller: then each process counts alone.
 */
export type RateLimits = {
  /** Counts a call where the rule allows it. `key` holds no personal data: an address is hashed before. */
  take(key: string, rule: RateRule): Promise<RateVerdict>;
  close(): Promise<void>;
};

/** Counts calls of a network of IPv6 for the /56 and the /48 around it too, with wider bounds: a /48 has 65,536 networks. */
export function countWiderNetworks(rateLimits: RateLimits): RateLimits {
  return {
    ...rateLimits,
    async take(key, rule) {
      const verdict = await rateLimits.take(key, rule);
      // From the narrow to the wide: what one refuses is not counted by the next.
      for (const around of verdict.isAllowed ? networksAround(key) : []) {
        const wider = await rateLimits.take(around.key, { ...rule, limit: rule.limit * around.share });
        if (!wider.isAllowed) return wider;
      }
      return verdict;
    },
  };
}
