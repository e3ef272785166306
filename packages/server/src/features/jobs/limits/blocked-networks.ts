import { DomainError, formatDay, isPrivate } from "@tintype/contract";
import { desc, eq, gt, lte, type SQL, sql } from "drizzle-orm";
import type { Database, Queryable, Transaction } from "../../../platform/db/database.ts";
import { networksAround } from "../../../platform/network.ts";
import { blockedNetworks } from "../tables.ts";

// An operator can block guests and free accounts of a network for a time. Paying callers are never blocked: a company or a
// school may share its address with the abuser.

type BlockedNetwork = typeof blockedNetworks.$inferSelect;

/** The networks blocked now, the longest block first. */
export const listBlockedNetworks = (db: Queryable, now: Date): Promise<BlockedNetwork[]> =>
  db.select().from(blockedNetworks).where(gt(blockedNetworks.until, now)).orderBy(desc(blockedNetworks.until));

/** Replaces an existing block. Returns when that one would have ended. */
export async function blockNetwork(
  tx: Transaction,
  { key, until, now }: BlockedNetwork & { now: Date },
): Promise<Date | null> {
  const before = await blockOf(tx, { key, now });
  await tx
    .insert(blockedNetworks)
    .values({ key, until })
    .onConflictDoUpdate({ target: blockedNetworks.key, set: { until } });
  return before;
}

/** Returns when the block would have ended; null if there was none. */
export async function unblockNetwork(tx: Transaction, { key, now }: { key: string; now: Date }): Promise<Date | null> {
  const before = await blockOf(tx, { key, now });
  await tx.delete(blockedNetworks).where(eq(blockedNetworks.key, key));
  return before;
}

async function blockOf(tx: Transaction, { key, now }: { key: string; now: Date }): Promise<Date | null> {
  const [row] = await tx.select().from(blockedNetworks).where(eq(blockedNetworks.key, key)).for("update");
  return row && row.until > now ? row.until : null;
}

/**
 * SQL expression: until when the network, or an IPv6 prefix that contains it, is blocked; null while none is. `network`: a keyed
 * hash; null for callers with a paid plan.
 */
export function blockedUntil(network: string | null, now: Date): SQL<string | Date | null> {
  if (network === null) return sql`null::timestamptz`;
  const keys = networksAround(network).map(({ key }) => key);
  return sql`(select max(until) from blocked_networks
    where key = any(${sql.param(keys)}::text[]) and until > ${now.toISOString()}::timestamptz)`;
}

export const networkBlocked = (until: Date): DomainError =>
  new DomainError("network-blocked", {
    detail: `${isPrivate() ? "Use" : "Free use"} from your network is blocked until ${formatDay(until)}, ${until.toISOString().slice(11, 16)} UTC. ${isPrivate() ? "Please ask the people who run this server." : "Choose a plan, or write to us through the contact form."}`,
  });

/** Deletes expired blocks. */
export async function forgetBlocks(db: Database, now: Date): Promise<void> {
  await db.delete(blockedNetworks).where(lte(blockedNetworks.until, now));
}
