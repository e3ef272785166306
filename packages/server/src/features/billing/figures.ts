import type { FiguresSpan, RevenueFigure, SubscriptionFigure } from "@tintype/contract";
import { sql } from "drizzle-orm";
import { type Queryable, rowsOf } from "../../platform/db/database.ts";
import { isOnDays, stepOfMoment } from "../../platform/db/report-interval.ts";
import { refundedMinor } from "./books.ts";
import { auditLines, payments } from "./tables.ts";

/** Payments by currency, and how much of them has been refunded since. */
export function readRevenue(db: Queryable, span: FiguresSpan): Promise<RevenueFigure[]> {
  // A sum in minor units may exceed `integer`.
  return rowsOf<RevenueFigure>(
    db.execute(sql`
      select ${stepOfMoment(sql`${payments.at}`, span.by)} as step, currency, is_test, count(*)::int as payments,
        sum(amount_minor)::float8 as paid_minor, sum(${refundedMinor})::float8 as refunded_minor
      from payments where status <> 'failed' and ${isOnDays(sql`${payments.at}`, span)}
      group by 1, 2, 3 order by 1, 2, 3`),
  );
}

/** People who moved from Hobby to a paid plan, and back. */
export function readSubscriptionChanges(db: Queryable, span: FiguresSpan): Promise<SubscriptionFigure[]> {
  return rowsOf<SubscriptionFigure>(
    db.execute(sql`
      select ${stepOfMoment(sql`${auditLines.at}`, span.by)} as step,
        case detail->>'from' when 'hobby' then detail->>'to' else detail->>'from' end as plan,
        (count(*) filter (where detail->>'from' = 'hobby'))::int as new,
        (count(*) filter (where detail->>'to' = 'hobby'))::int as lost
      from audit_lines
      where kind = 'plan-changed' and ${isOnDays(sql`${auditLines.at}`, span)} and 'hobby' in (detail->>'from', detail->>'to')
      group by 1, 2 order by 1, 2`),
  );
}
