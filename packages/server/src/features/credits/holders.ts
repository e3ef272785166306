import { and, desc, eq, gt, inArray, like, lt, or } from "drizzle-orm";
import { utcMonth } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import { invalidCursor, pageOf } from "../../platform/db/page.ts";
import { allowances } from "./tables.ts";

type Use = { month: number; total: number };

/** The credits that each holder has used, this month and in all. Omits those without a counter. */
export async function usesOf(
  db: Database,
  { holders, now }: { holders: readonly string[]; now: Date },
): Promise<Map<string, Use>> {
  if (holders.length === 0) return new Map();
  const rows = await db
    .select()
    .from(allowances)
    .where(inArray(allowances.holder, [...holders]));
  return new Map(
    rows.map(({ holder, month, monthUsed, totalUsed }) => [
      holder,
      { month: month === utcMonth(now) ? monthUsed : 0, total: totalUsed },
    ]),
  );
}

const isBusyPerson = (now: Date) =>
  and(like(allowances.holder, "person:%"), eq(allowances.month, utcMonth(now)), gt(allowances.monthUsed, 0));

export const countBusy = (db: Database, now: Date): Promise<number> => db.$count(allowances, isBusyPerson(now));

/** A page of the people who have used something this month, the most first. @throws invalid-request */
export async function listBusiest(
  db: Database,
  { before, size, now }: { before: string | undefined; size: number; now: Date },
): Promise<{ holders: string[]; next: string | null }> {
  const [, used, holder] = /^([0-9]{1,9})[.](person:[\w-]{1,200})$/.exec(before ?? "") ?? [];
  if (before !== undefined && !holder) throw invalidCursor();
  const rows = await db
    .select()
    .from(allowances)
    .where(
      and(
        isBusyPerson(now),
        holder === undefined
          ? undefined
          : or(
              lt(allowances.monthUsed, Number(used)),
              and(eq(allowances.monthUsed, Number(used)), lt(allowances.holder, holder)),
            ),
      ),
    )
    .orderBy(desc(allowances.monthUsed), desc(allowances.holder))
    .limit(size + 1);
  const { shown, next } = pageOf(rows, { size, cursorOf: (row) => `${row.monthUsed}.${row.holder}` });
  return { holders: shown.map((row) => row.holder), next };
}
