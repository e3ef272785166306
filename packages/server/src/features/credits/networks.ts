import { guestCreditsPerNetworkDay } from "@tintype/contract";
import { and, desc, eq, gt, lt, or, sql } from "drizzle-orm";
import { utcDay } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import { networkBlockOf } from "../../platform/network.ts";
import { allowances } from "./tables.ts";

/** The free credits used from a network today, and its limit. `key` is a keyed hash. */
export type NetworkUse = { key: string; used: number; limit: number };

/**
 * Networks by the credits that their guests and unverified accounts used today (UTC), most first, after a cursor. IPv6
 * prefixes are listed next to the networks that they contain.
 */
export async function listNetworkUse(
  db: Database,
  { now, after, limit }: { now: Date; after: { used: number; key: string } | undefined; limit: number },
): Promise<NetworkUse[]> {
  const { holder, day, dayUsed } = allowances;
  const rows = await db
    .select({ key: holder, used: dayUsed })
    .from(allowances)
    .where(
      and(
        // Must match the index's literal. The counter of Hobby accounts is excluded.
        sql`${holder} like 'network:%' and ${holder} not like '%:hobby'`,
        eq(day, utcDay(now)),
        gt(dayUsed, 0),
        after && or(lt(dayUsed, after.used), and(eq(dayUsed, after.used), gt(holder, after.key))),
      ),
    )
    .orderBy(desc(dayUsed), holder)
    .limit(limit);
  return rows.map((row) => ({ ...row, limit: networkBlockOf(row.key).share * guestCreditsPerNetworkDay }));
}
