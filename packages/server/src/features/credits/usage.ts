import {
  type CreditFigure,
  DomainError,
  type FiguresSpan,
  type OperationName,
  type Usage,
  type UsageRow,
} from "@tintype/contract";
import { maxUsageDays } from "@tintype/contract/schemas";
import { sql } from "drizzle-orm";
import { dayMs, utcDay } from "../../platform/clock.ts";
import { csvOf } from "../../platform/csv.ts";
import { type Database, type Queryable, rowsOf } from "../../platform/db/database.ts";
import { stepOfDay } from "../../platform/db/report-interval.ts";
import { keyNames } from "../keys/keys.ts";
import { creditEntries } from "./tables.ts";

const defaultDays = 30;

type Span = { from: string; to: string };

/**
 * The days that a caller asked for. Default: the last 30.
 * @throws invalid-request when they end before they start, or are more than `maxDays`; `instead` is the advice against that
 */
export function readSpan(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  { now, maxDays = maxUsageDays, instead = "" }: { now: Date; maxDays?: number; instead?: string },
): Span {
  const last = to ?? utcDay(now);
  const first = from ?? utcDay(new Date(Date.parse(last) - (defaultDays - 1) * dayMs));
  const days = (Date.parse(last) - Date.parse(first)) / dayMs + 1;
  if (days < 1)
    throw new DomainError("invalid-request", { field: "from", detail: "from: choose a day that is not after `to`." });
  if (days > maxDays)
    throw new DomainError("invalid-request", {
      field: "from",
      detail: `from: choose at most ${maxDays} days at a time${instead}.`,
    });
  return { from: first, to: last };
}

/**
 * The credits that a person used, by day, operation and key. A file counts with its price, whether paid from the allowance
 * or from a reservation. A refund removes its file from the day of the charge.
 */
export async function readUsage(
  db: Database,
  { holder, accountId, from, to }: Span & { holder: string; accountId: string },
): Promise<Usage> {
  type Row = {
    day: string;
    operation: OperationName;
    key_id: string | null;
    files: number;
    credits: number;
  };
  const rows = await rowsOf<Row>(
    db.execute(sql`
      select day::text as day, operation, key_id, sum(case kind when 'charge' then 1 else -1 end)::int as files,
        sum(case kind when 'charge' then price else -price end)::int as credits
      from credit_entries
      where holder = ${holder} and kind in ('charge', 'refund') and day between ${from}::date and ${to}::date
      group by day, operation, key_id having sum(case kind when 'charge' then price else -price end) > 0
      order by day, operation, key_id nulls first`),
  );
  const names = await keyNames(db, accountId);
  return {
    from,
    to,
    rows: rows.map(({ key_id, ...row }) => ({
      ...row,
      key: key_id === null ? null : { id: key_id, ...(names.get(key_id) ?? { name: null, last_four: null }) },
    })),
  };
}

const columns = ["day", "operation", "key_id", "key_name", "files", "credits"] as const;

/** RFC 4180. A line without a key is from the website. */
export const usageCsv = ({ rows }: Usage): string => csvOf([columns, ...rows.map(cellsOf)]);

const cellsOf = ({ day, operation, key, files, credits }: UsageRow) => [
  day,
  operation,
  key?.id ?? "",
  key?.name ?? "",
  files,
  credits,
];

/** Credits used by all holders, by plan and operation. A refund removes its file from the day of the charge. */
export function readCreditFigures(db: Queryable, { from, to, by }: FiguresSpan): Promise<CreditFigure[]> {
  return rowsOf<CreditFigure>(
    db.execute(sql`
      select ${stepOfDay(sql`${creditEntries.day}`, by)} as step, tier as plan, operation,
        sum(case kind when 'charge' then 1 else -1 end)::int as files,
        sum(case kind when 'charge' then price else -price end)::float8 as credits
      from credit_entries
      where day between ${from}::date and ${to}::date and kind in ('charge', 'refund') and operation is not null
      group by 1, 2, 3 having sum(case kind when 'charge' then price else -price end) > 0
      order by 1, 2, 3`),
  );
}
