import type { CreditFigure, FiguresSpan } from "@tintype/contract";
import { sql } from "drizzle-orm";
import { type Queryable, rowsOf } from "../../platform/db/database.ts";
import { stepOfDay } from "../../platform/db/in-step.ts";
import { creditEntries } from "./tables.ts";

/** Credits used by all holders, by plan and operation. A refund removes its file from the day of the charge. */
export function readCreditFigures(db: Queryable, { from, to, by }: FiguresSpan): Promise<CreditFigure[]> {
  return rowsOf<CreditFigure>(
    db.execute(sql`
      select ${stepOfDay(sql`${creditEntries.day}`, by)} as step, tier as plan, operation,
        sum(case kind when 'charge' then 1 else -1 end)::int as files,
        sum(case kind when 'charge' then price else -price end)::float8 as credits
      from credit_entries
      where day between ${from}::date and ${to}::date and kind in ('charge', 'give-back') and operation is not null
      group by 1, 2, 3 having sum(case kind when 'charge' then price else -price end) > 0
      order by 1, 2, 3`),
  );
}
