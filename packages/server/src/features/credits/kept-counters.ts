import { and, eq, gt, inArray, lte, sql } from "drizzle-orm";
import { utcDay, utcMonth } from "../../platform/clock.ts";
import type { Transaction } from "../../platform/db/database.ts";
import { windowEnd } from "./allowance.ts";
import { allowances, creditEntries, creditGrants, keptCounters, reservations } from "./tables.ts";

type KeptCounters = {
  holder: string;
  /** Keyed hashes that recognise the same person. */
  keys: readonly string[];
  now: Date;
};

/**
 * Deletes a person's credit records. Their counter is kept under the keyed hashes until the month ends. Their network's
 * use stays counted, in entries of the network.
 */
export async function forgetHolder(tx: Transaction, { holder, keys, now }: KeptCounters): Promise<void> {
  await tx.execute(sql`
    insert into credit_entries (holder, day, at, kind, credits)
    select network, day, ${now.toISOString()}::timestamptz, 'carry', sum(credits) from credit_entries
    where holder = ${holder} and network is not null group by network, day having sum(credits) <> 0`);
  await tx.delete(creditEntries).where(eq(creditEntries.holder, holder));
  await tx.delete(reservations).where(eq(reservations.holder, holder));
  await tx.delete(creditGrants).where(eq(creditGrants.holder, holder));
  await tx.delete(keptCounters).where(lte(keptCounters.until, now));
  const [counter] = await tx.delete(allowances).where(eq(allowances.holder, holder)).returning();
  if (!counter || counter.month < utcMonth(now)) return;
  const { day, month } = counter;
  // Only the use that counts against the allowance: granted credits are lost with the account.
  const dayUsed = Math.max(0, counter.dayUsed - counter.dayGiven);
  const monthUsed = Math.max(0, counter.monthUsed - counter.monthGiven);
  for (const key of keys)
    await tx
      .insert(keptCounters)
      .values({ key, day, dayUsed, month, monthUsed, until: windowEnd("month", now) })
      .onConflictDoUpdate({
        target: keptCounters.key,
        set: {
          day: sql`greatest(kept_counters.day, excluded.day)`,
          dayUsed: sql`case when kept_counters.day > excluded.day then kept_counters.day_used
            when kept_counters.day = excluded.day then greatest(kept_counters.day_used, excluded.day_used)
            else excluded.day_used end`,
          month: sql`greatest(kept_counters.month, excluded.month)`,
          monthUsed: sql`case when kept_counters.month > excluded.month then kept_counters.month_used
            when kept_counters.month = excluded.month then greatest(kept_counters.month_used, excluded.month_used)
            else excluded.month_used end`,
          until: sql`greatest(kept_counters.until, excluded.until)`,
        },
      });
}

/** Gives a new account the counter that a deleted one left under the same keys, with entries that sum to it. */
export async function restoreCounters(tx: Transaction, { holder, keys, now }: KeptCounters): Promise<void> {
  const [day, month] = [utcDay(now), utcMonth(now)];
  const rows = await tx
    .select()
    .from(keptCounters)
    .where(and(inArray(keptCounters.key, [...keys]), gt(keptCounters.until, now)));
  const maxOf = (numbers: number[]) => Math.max(0, ...numbers);
  const monthUsed = maxOf(rows.filter((row) => row.month === month).map((row) => row.monthUsed));
  const dayUsed = maxOf(rows.filter((row) => row.day === day).map((row) => row.dayUsed));
  if (monthUsed === 0) return;
  await tx.insert(allowances).values({ holder, day, dayUsed, month, monthUsed, totalUsed: monthUsed, reserved: 0 });
  const parts = [
    { day, credits: dayUsed },
    // The use on earlier days of the month; none on its first day. Negative if an earlier release added an operator's credits to it.
    { day: `${month}-01`, credits: monthUsed - dayUsed },
  ].filter(({ credits }) => credits !== 0);
  await tx.insert(creditEntries).values(parts.map((part) => ({ ...part, holder, at: now, kind: "carry" as const })));
}
