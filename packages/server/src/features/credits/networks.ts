import { guestCreditsPerNetworkDay } from "@tintype/contract";
import { and, desc, eq, gt, lt, or, sql } from "drizzle-orm";
import { utcDay } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import { networkBlockOf } from "../../platform/network.ts";
import { allowances } from "./tables.ts";

/** The free credits that were used from a network today, and how many it has. `key` is a keyed hash. */
export type NetworkUse = { key: string; used: number; limit: number };

/**
 * Networks by the credits that their guests and unverified accounts used today (UTC), the most first, after a place in the list.
 * Blocks of IPv6 stand beside the networks that lie in them.
 */
export async function listNetworkUse(
  db: Database,
  { now, after, most }: { now: Date; after: { used: number; key: string } | undefined; most: number },
): Promise<NetworkUse[]> {
  const { holder, day, dayUsed } = allowances;
  const rows = await db
    .select({ key: holder, used: dayUsed })
    .from(allowances)
    .where(
      and(
        // The literal that the index has. The counter of free accounts where no mail is sent is another matter.
        sql`${holder} like 'network:%' and ${holder} not like '%:hobby'`,
        eq(day, utcDay(now)),
        gt(dayUsed, 0),
        after && or(lt(dayUsed, after.used), and(eq(dayUsed, after.used), gt(holder, after.key))),
      ),
    )
    .orderBy(desc(dayUsed), holder)
    .limit(most);
  return rows.map((row) => ({ ...row, limit: networkBlockOf(row.key).share * guestCreditsPerNetworkDay }));
}
