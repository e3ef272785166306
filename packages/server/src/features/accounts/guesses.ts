import { createHmac } from "node:crypto";
import type { RateLimits } from "../../platform/rate-limits/rate-limits.ts";

const minuteMs = 60_000;

/**
 * Wrong passwords and codes that one account takes, from everywhere together: the more there were, the longer the wait. Forty a
 * day find no password that is not among the most common, and one code of six digits in two hundred years.
 */
const waits = [
  { limit: 5, windowMs: minuteMs },
  { limit: 10, windowMs: 10 * minuteMs },
  { limit: 20, windowMs: 60 * minuteMs },
  { limit: 40, windowMs: 1_440 * minuteMs },
];

/** How often a mail tells the owner, at most. */
const alarm = { limit: 1, windowMs: 1_440 * minuteMs };

export type GuessVerdict = {
  isAllowed: boolean;
  retryAfterSeconds: number;
  /** True once a day, when there were too many for somebody who mistypes. */
  isAlarm: boolean;
};

/** Counts guesses. Counted before the check, so that a hundred at once are not all checked. */
export type Guesses = {
  /** `key` may contain personal data: it is hashed. */
  take(key: string): Promise<GuessVerdict>;
  /** The guess was right: it does not count. */
  refund(key: string): Promise<void>;
};

export function createGuesses({ rateLimits, secret }: { rateLimits: RateLimits; secret: string }): Guesses {
  const keysOf = (key: string) => {
    const hash = createHmac("sha256", `guesses ${secret}`).update(key).digest("base64url").slice(0, 32);
    return waits.map((rule) => ({ rule, key: `guess:${rule.windowMs}:${hash}`, alarmKey: `guess-alarm:${hash}` }));
  };
  return {
    async take(key) {
      const counted = [];
      for (const { rule, ...one } of keysOf(key)) {
        const { isAllowed, retryAfterSeconds } = await rateLimits.take(one.key, rule);
        if (isAllowed) {
          counted.push({ key: one.key, rule });
          continue;
        }
        // A refused guess is not counted at all.
        for (const before of counted) await rateLimits.take(before.key, { ...before.rule, calls: -1 });
        const isMany = rule !== waits[0];
        const isAlarm = isMany && (await rateLimits.take(one.alarmKey, alarm)).isAllowed;
        return { isAllowed: false, retryAfterSeconds, isAlarm };
      }
      return { isAllowed: true, retryAfterSeconds: 0, isAlarm: false };
    },
    async refund(key) {
      for (const { rule, key: counted } of keysOf(key)) await rateLimits.take(counted, { ...rule, calls: -1 });
    },
  };
}
