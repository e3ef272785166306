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
 * Refuses more files than the key of a call may process on a day. In the transaction of a charge, after it: the holder's counter is
 * locked then, so that concurrent charges are counted one after the other.
 * @throws key-limit
 */
export async function requireKeyRoom(
  db: Queryable,
  { key, keyId, keyDailyFiles }: Holder,
  { now, files = 0 }: KeyLimitCheck,
): Promise<void> {
  if (keyId === undefined || keyDailyFiles === undefined) return;
  const [row] = await rowsOf<{ used: number }>(
    db.execute(sql`
      select coalesce(sum(case kind when 'charge' then 1 when 'refund' then -1 else 0 end), 0)::int as used
      from credit_entries where holder = ${key} and day = ${utcDay(now)}::date and key_id = ${keyId}`),
  );
  if ((row?.used ?? 0) + files <= keyDailyFiles) return;
  throw new DomainError("key-limit", {
    detail: `This API key may process ${keyDailyFiles} ${keyDailyFiles === 1 ? "file" : "files"} a day. The next day begins at 00:00 UTC.`,
  });
}
