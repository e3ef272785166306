import { DomainError } from "@tintype/contract";
import { and, eq, gt, isNull, lt, or } from "drizzle-orm";
import type { Person } from "../../http/caller.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import type { RateLimits, RateRule, RateVerdict } from "../../platform/rate-limits/rate-limits.ts";
import { findAccount, personOfAccount, refuseBlocked } from "../accounts/accounts.ts";
import { isKeyLike, readKey } from "./key-text.ts";
import { apiKeys } from "./tables.ts";

type Dependencies = { db: Database; clock: Clock; rateLimits: RateLimits; callsPerMinute: number };

export type KeyUse = {
  network: string;
  /** Receives the state of the key's rate limit. */
  onCounted(rate: RateRule & RateVerdict): void;
};

/** `last_used_at` is accurate to the minute, to avoid a write per call. */
const lastUsedIntervalMs = 60_000;

/** The current person of an API key; undefined for a bearer that is not a key. */
export function createPersonByKey({ db, clock, rateLimits, callsPerMinute }: Dependencies) {
  const rule = { limit: callsPerMinute, windowMs: 60_000 };

  /** @throws unauthorized, account-blocked, too-many-requests */
  return async (bearer: string, { network, onCounted }: KeyUse): Promise<Person | undefined> => {
    if (!isKeyLike(bearer)) return undefined;
    const read = readKey(bearer);
    if (!read)
      throw new DomainError("unauthorized", { detail: "This is not an API key. Check that you copied all of it." });
    const now = clock.now();
    const isValid = or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now));
    const [key] = await db
      .select()
      .from(apiKeys)
      .where(and(eq(apiKeys.hash, read.hash), isValid));
    if (!key)
      throw new DomainError("unauthorized", { detail: "This API key was revoked or has expired. Use another one." });
    const [account, verdict] = await Promise.all([
      findAccount(db, key.accountId),
      rateLimits.take(`api-key:${key.id}`, rule),
    ]);
    if (!account) throw new DomainError("unauthorized", { detail: "This account was deleted." });
    refuseBlocked(account);
    onCounted({ ...rule, ...verdict });
    const { isAllowed, retryAfterSeconds } = verdict;
    if (!isAllowed)
      throw new DomainError("too-many-requests", {
        detail: `An API key can make ${callsPerMinute} calls per minute.`,
        retryAfterSeconds,
      });
    const usedBefore = new Date(now.getTime() - lastUsedIntervalMs);
    if (!key.lastUsedAt || key.lastUsedAt <= usedBefore)
      await db
        .update(apiKeys)
        .set({ lastUsedAt: now })
        .where(and(eq(apiKeys.id, key.id), or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, now))));
    const { scopes, mode, dailyFiles } = key;
    const keyDailyFiles = dailyFiles ?? undefined;
    return personOfAccount(account, { by: "key", keyId: key.id, keyDailyFiles, scopes, mode, network }, now);
  };
}
