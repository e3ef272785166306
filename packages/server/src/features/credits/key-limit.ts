import { DomainError } from "@tintype/contract";
import { sql } from "drizzle-orm";
import { utcDay } from "../../platform/clock.ts";
import { type Queryable, rowsOf } from "../../platform/db/database.ts";
import type { Holder } from "./allowance.ts";

type KeyLimitCheck = {
  now: Date;
  /** Files that are not in the ledger yet. */
  files?: number;
};

/**
 * Refuses more files than the key of a call may process on a day, by when they were charged: a reservation may be of the day before.
 * In the transaction of a charge, after it; the holder's counter is locked, so that concurrent calls are counted one after the other.
 * @throws key-limit
 */
export async function requireKeyRoom(
  db: Queryable,
  { key, keyId, keyDailyFiles }: Holder,
  { now, files = 0 }: KeyLimitCheck,
): Promise<void> {
  if (keyId === undefined || keyDailyFiles === undefined) return;
  // Free steps on results lock no counter themselves.
  await db.execute(sql`select 1 from allowances where holder = ${key} for update`);
  const today = utcDay(now);
  const [row] = await rowsOf<{ used: number }>(
    db.execute(sql`
      select count(*)::int as used from credit_entries c
      where c.holder = ${key} and c.day >= ${today}::date - 1 and c.key_id = ${keyId} and c.kind = 'charge'
        and c.at >= ${`${today}T00:00:00Z`}::timestamptz
        and not exists (select 1 from credit_entries r
          where r.job_id = c.job_id and r.file_index = c.file_index and r.kind = 'refund')`),
  );
  if ((row?.used ?? 0) + files <= keyDailyFiles) return;
  throw new DomainError("key-limit", {
    detail: `This API key may process ${keyDailyFiles} ${keyDailyFiles === 1 ? "file" : "files"} a day. The next day begins at 00:00 UTC.`,
  });
}
