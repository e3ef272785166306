import type { AllowanceWindow } from "@tintype/contract";
import { type SQL, sql } from "drizzle-orm";
import { dayAfter, monthBefore, utcDay, utcMonth } from "../../platform/clock.ts";
import { type Queryable, rowsOf } from "../../platform/db/database.ts";
import { networkRows } from "../../platform/network.ts";
import { type Counters, type NetworkAllowance, networkCounters } from "./allowance.ts";
import { isInForce } from "./grants.ts";

type Increase = {
  holder: string;
  /** Credits to take, 0 or more. */
  credits: number;
  /** How many of these are only reserved. */
  reserved?: number;
  /** How many of these are beyond the allowance, paid by grants. Negative where an operator lowers the allowance. */
  given?: number;
  /** Null credits: without a limit. */
  allowance: { credits: number | SQL | null; window: AllowanceWindow };
  now: Date;
};

/** PostgreSQL's largest `integer`. */
const anyNumber = 2 ** 31 - 1;

export type CounterRow = {
  day: string;
  day_used: number;
  day_given: number;
  month: string;
  month_used: number;
  month_given: number;
  total_used: number;
  total_given: number;
  granted: number;
};

/** Of the row `a`. One driver returns `date` columns as text, the other as a local-time Date: cast them in SQL. */
const returned = (now: Date) => sql`
  a.day::text as day, a.day_used, a.day_given, a.month, a.month_used, a.month_given, a.total_used, a.total_given,
  (select coalesce(sum(g.open), 0)::int from credit_grants g where g.holder = a.holder and ${isInForce(now)}) as granted`;
export const countersOf = (row: CounterRow): Counters => ({
  day: row.day,
  dayUsed: row.day_used,
  month: row.month,
  monthUsed: row.month_used,
  totalUsed: row.total_used,
  dayGiven: row.day_given,
  monthGiven: row.month_given,
  totalGiven: row.total_given,
  granted: row.granted,
});

/**
 * Charges credits and returns the new counters; undefined if the allowance is too small. A single statement, so concurrent
 * charges cannot exceed the limit. It also rolls windows over, and never back, even if clocks differ.
 */
export async function increaseCounter(db: Queryable, increase: Increase): Promise<Counters | undefined> {
  const take = async () => {
    const [row] = await rowsOf<CounterRow>(db.execute(increaseStatement(increase)));
    return row && countersOf(row);
  };
  const { holder, now } = increase;
  return (await take()) ?? ((await repairCounter(db, { holder, now })) ? take() : undefined);
}

/**
 * A clock that jumped ahead and was corrected leaves counters with a future day, which would not reset until then. Such a
 * counter is recomputed from the ledger for the current day. One day ahead is tolerated, since clocks differ. Returns
 * whether one was repaired.
 */
async function repairCounter(db: Queryable, { holder, now }: { holder: string; now: Date }): Promise<boolean> {
  const day = sql`${utcDay(now)}::date`;
  const sum = (within: SQL) => sql`
    (select coalesce(sum(credits), 0)::int from credit_entries where holder = ${holder} and ${within})
    + (select coalesce(sum(credits), 0)::int from credit_entries where network = ${holder} and ${within})`;
  const sumGiven = (within: SQL) => sql`
    (select coalesce(sum(given), 0)::int from credit_entries where holder = ${holder} and ${within})`;
  const ofDay = sql`day = ${day}`;
  const ofMonth = sql`day >= date_trunc('month', ${day})::date and day < (date_trunc('month', ${day}) + interval '1 month')::date`;
  const rows = await rowsOf(
    db.execute(sql`
      update allowances set day = ${day}, day_used = ${sum(ofDay)}, day_given = ${sumGiven(ofDay)},
        month = ${utcMonth(now)}, month_used = ${sum(ofMonth)}, month_given = ${sumGiven(ofMonth)}
      where holder = ${holder} and day > ${day} + 1
      returning 1`),
  );
  return rows.length > 0;
}

/**
 * The statement of `increaseCounter`, which returns a `CounterRow` or none, with further conditions: `when` is checked
 * first, `onRow` on an existing counter `a`.
 */
export function increaseStatement(
  { holder, credits, allowance, now, reserved = 0, given = 0 }: Increase,
  { when = sql`true`, onRow = sql`true` }: { when?: SQL; onRow?: SQL } = {},
): SQL {
  const limit = allowance.credits ?? anyNumber;
  const ofDay = (column: SQL) => sql`(case when a.day < excluded.day then 0 else ${column} end)`;
  const ofMonth = (column: SQL) => sql`(case when a.month < excluded.month then 0 else ${column} end)`;
  // What the window's own allowance has paid.
  const used: Record<AllowanceWindow, SQL> = {
    ever: sql`a.total_used - a.total_given`,
    month: ofMonth(sql`a.month_used - a.month_given`),
    day: ofDay(sql`a.day_used - a.day_given`),
  };
  return sql`
    insert into allowances as a
      (holder, day, day_used, day_given, month, month_used, month_given, total_used, total_given, reserved)
    select ${holder}, ${utcDay(now)}::date, ${credits}::int, ${given}::int, ${utcMonth(now)}, ${credits}::int, ${given}::int,
      ${credits}::int, ${given}::int, ${reserved}::int
    where ${when}
      and (${credits - given}::int <= ${limit}::int or exists (select 1 from allowances where holder = ${holder}))
    on conflict (holder) do update set
      day = greatest(a.day, excluded.day),
      day_used = ${ofDay(sql`a.day_used`)} + excluded.day_used,
      day_given = ${ofDay(sql`a.day_given`)} + excluded.day_given,
      month = greatest(a.month, excluded.month),
      month_used = ${ofMonth(sql`a.month_used`)} + excluded.month_used,
      month_given = ${ofMonth(sql`a.month_given`)} + excluded.month_given,
      total_used = a.total_used + excluded.total_used,
      total_given = a.total_given + excluded.total_given,
      reserved = a.reserved + excluded.reserved
    where a.day <= excluded.day + 1
      and ${used[allowance.window]} + excluded.total_used - excluded.total_given <= ${limit}::int and ${onRow}
    returning ${returned(now)}`;
}

/** The network's limit. */
export function networkLimit({ credits, paying }: NetworkAllowance, now: Date): SQL {
  if (!paying) return sql`${credits}::int`;
  const isPaying = sql`exists (
    select 1 from allowances where holder = ${paying.key} and month >= ${monthBefore(utcMonth(now))})`;
  return sql`(case when ${isPaying} then ${paying.credits}::int else ${credits}::int end)`;
}

export async function readNetworkLimit(db: Queryable, network: NetworkAllowance, now: Date): Promise<number> {
  const [row] = await rowsOf<{ credits: number }>(db.execute(sql`select ${networkLimit(network, now)} as credits`));
  return row?.credits ?? network.credits;
}

/**
 * The statement that marks a network, and those around it, as paying this month, for each row of `from`: counters that count
 * nothing. It locks nothing where the mark is set.
 */
export function markPayingStatement({ key, now }: { key: string; now: Date }, from: SQL = sql``): SQL {
  return sql`
    insert into allowances as a (holder, day, day_used, month, month_used, total_used, reserved)
    select around.key, ${utcDay(now)}::date, 0, ${utcMonth(now)}, 0, 0, 0 from ${from} ${networkRows(key)}
    where not exists (select 1 from allowances where holder = around.key and month >= ${utcMonth(now)})
    order by around.share
    on conflict (holder) do update set day = greatest(a.day, excluded.day), month = greatest(a.month, excluded.month)`;
}

/** Subtracts credits that were charged on the given day, and the part of them that grants had paid. */
export async function decreaseCounter(
  db: Queryable,
  {
    holder,
    credits,
    day,
    given = 0,
    reserved = 0,
  }: { holder: string; credits: number; day: string; given?: number; reserved?: number },
): Promise<void> {
  const ofDay = (amount: number) => sql`case when day = ${day}::date then ${amount}::int else 0 end`;
  const ofMonth = (amount: number) => sql`case when month = ${day.slice(0, 7)} then ${amount}::int else 0 end`;
  await db.execute(sql`
    update allowances set
      day_used = day_used - ${ofDay(credits)},
      day_given = day_given - ${ofDay(given)},
      month_used = month_used - ${ofMonth(credits)},
      month_given = month_given - ${ofMonth(given)},
      total_used = total_used - ${credits}::int,
      total_given = total_given - ${given}::int,
      reserved = reserved - ${reserved}::int
    where holder = ${holder}`);
}

/** The same for a network and its enclosing prefixes. */
export async function decreaseNetwork(
  db: Queryable,
  { network, credits, day }: { network: string; credits: number; day: string },
): Promise<void> {
  for (const { key } of networkCounters({ key: network, credits: 0 }))
    await decreaseCounter(db, { holder: key, credits, day });
}

/** The holder's row, repaired if its day is in the future. */
export async function currentCounter(
  db: Queryable,
  { holder, now }: { holder: string; now: Date },
): Promise<(Counters & { reserved: number }) | undefined> {
  const counter = await readCounter(db, { holder, now });
  const isAhead = counter && counter.day > dayAfter(utcDay(now));
  return isAhead && (await repairCounter(db, { holder, now })) ? readCounter(db, { holder, now }) : counter;
}

/** The holder's row, locked until the transaction ends if requested. */
export async function readCounter(
  db: Queryable,
  { holder, now, lock = false }: { holder: string; now: Date; lock?: boolean },
): Promise<(Counters & { reserved: number }) | undefined> {
  const rows = await rowsOf<CounterRow & { reserved: number }>(
    db.execute(
      sql`select ${returned(now)}, a.reserved from allowances a where a.holder = ${holder} ${lock ? sql`for update` : sql``}`,
    ),
  );
  return rows[0] && { ...countersOf(rows[0]), reserved: rows[0].reserved };
}
