import type { AllowanceWindow } from "@tintype/contract";
import { type SQL, sql } from "drizzle-orm";
import { utcDay, utcMonth } from "../../platform/clock.ts";
import { type Queryable, rowsOf } from "../../platform/db/database.ts";
import type { Counters } from "./allowance.ts";

type Increase = {
  holder: string;
  /** Credits to take, 0 or more. */
  credits: number;
  /** Of them, those that are only reserved. */
  reserved?: number;
  allowance: { credits: number; window: AllowanceWindow };
  now: Date;
};

export type CounterRow = { day: string; day_used: number; month: string; month_used: number; total_used: number };

/** `date` columns come back as text from one driver and as a local-time Date from the other: cast in SQL. */
const returned = sql`day::text as day, day_used, month, month_used, total_used`;
export const countersOf = (row: CounterRow): Counters => ({
  day: row.day,
  dayUsed: row.day_used,
  month: row.month,
  monthUsed: row.month_used,
  totalUsed: row.total_used,
});

/**
 * Takes credits if they are there, and answers the counters after it, or undefined when the allowance does not
 * reach. This one statement decides: however many ask at once, none is granted past the limit. The windows roll
 * over in it, and never back, should a clock differ.
 */
export async function increaseCounter(db: Queryable, increase: Increase): Promise<Counters | undefined> {
  const rows = await rowsOf<CounterRow>(db.execute(increaseStatement(increase)));
  return rows[0] && countersOf(rows[0]);
}

/**
 * The statement of `increaseCounter`, which returns a `CounterRow` or none, under further conditions: `when` before anything is
 * done, `onRow` on a counter `a` that is there already.
 */
export function increaseStatement(
  { holder, credits, allowance, now, reserved = 0 }: Increase,
  { when = sql`true`, onRow = sql`true` }: { when?: SQL; onRow?: SQL } = {},
): SQL {
  const dayUsed = sql`case when a.day < excluded.day then 0 else a.day_used end`;
  const monthUsed = sql`case when a.month < excluded.month then 0 else a.month_used end`;
  const used: Record<AllowanceWindow, SQL> = {
    ever: sql`a.total_used`,
    month: sql`(${monthUsed})`,
    day: sql`(${dayUsed})`,
  };
  return sql`
    insert into allowances as a (holder, day, day_used, month, month_used, total_used, reserved)
    select ${holder}, ${utcDay(now)}::date, ${credits}::int, ${utcMonth(now)}, ${credits}::int, ${credits}::int, ${reserved}::int
    where ${when}
      and (${credits}::int <= ${allowance.credits}::int or exists (select 1 from allowances where holder = ${holder}))
    on conflict (holder) do update set
      day = greatest(a.day, excluded.day),
      day_used = ${dayUsed} + excluded.day_used,
      month = greatest(a.month, excluded.month),
      month_used = ${monthUsed} + excluded.month_used,
      total_used = a.total_used + excluded.total_used,
      reserved = a.reserved + excluded.reserved
    where ${used[allowance.window]} + excluded.total_used <= ${allowance.credits}::int and ${onRow}
    returning ${returned}`;
}

/** Moves the counters back by credits that were taken on the given day. */
export async function decreaseCounter(
  db: Queryable,
  { holder, credits, day, reserved = 0 }: { holder: string; credits: number; day: string; reserved?: number },
): Promise<void> {
  await db.execute(sql`
    update allowances set
      day_used = day_used - case when day = ${day}::date then ${credits}::int else 0 end,
      month_used = month_used - case when month = ${day.slice(0, 7)} then ${credits}::int else 0 end,
      total_used = total_used - ${credits}::int,
      reserved = reserved - ${reserved}::int
    where holder = ${holder}`);
}

/** The holder's row, on request held until the transaction ends: others of the same holder wait. */
export async function readCounter(
  db: Queryable,
  { holder, lock = false }: { holder: string; lock?: boolean },
): Promise<(Counters & { reserved: number }) | undefined> {
  const rows = await rowsOf<CounterRow & { reserved: number }>(
    db.execute(
      sql`select ${returned}, reserved from allowances where holder = ${holder} ${lock ? sql`for update` : sql``}`,
    ),
  );
  return rows[0] && { ...countersOf(rows[0]), reserved: rows[0].reserved };
}
