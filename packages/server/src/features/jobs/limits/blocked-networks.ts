import { DomainError, formatDay, isPrivate } from "@tintype/contract";
import { and, desc, eq, gt, inArray, lte } from "drizzle-orm";
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
 * `network`: a keyed hash; null for callers with a paid plan.
 * @throws network-blocked when the network, or an IPv6 prefix that contains it, is blocked
 */
export async function requireOpenNetwork(
  db: Database,
  { network, now }: { network: string | null; now: Date },
): Promise<void> {
  if (network === null) return;
  const keys = networksAround(network).map(({ key }) => key);
  const [row] = await db
    .select()
    .from(blockedNetworks)
    .where(and(inArray(blockedNetworks.key, keys), gt(blockedNetworks.until, now)))
    .orderBy(desc(blockedNetworks.until))
    .limit(1);
  if (row)
    throw new DomainError("network-blocked", {
      detail: `${isPrivate() ? "Use" : "Free use"} from your network is blocked until ${formatDay(row.until)}, ${row.until.toISOString().slice(11, 16)} UTC. ${isPrivate() ? "Please ask the people who run this server." : "Choose a plan, or write to us through the contact form."}`,
    });
}

/** Deletes expired blocks. */
export async function forgetBlocks(db: Database, now: Date): Promise<void> {
  await db.delete(blockedNetworks).where(lte(blockedNetworks.until, now));
}
