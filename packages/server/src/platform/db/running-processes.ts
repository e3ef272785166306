import { sql } from "drizzle-orm";
import { type Queryable, rowsOf } from "./database.ts";

/** The leases of processes, which end with the process. */
export const leaseTable = "processes";

/**
 * The number of server processes that use the database. An embedded one is locked by its folder: the lease without an end in it
 * belongs to a killed server.
 */
export async function countRunningProcesses(db: Queryable): Promise<number> {
  const [row] = await rowsOf<{ running: number }>(
    db.execute(sql`
      select count(*)::int as running from ${sql.identifier(leaseTable)}
      where lease_until > now() and lease_until < 'infinity'`),
  );
  return row?.running ?? 0;
}

export const processesOf = (running: number): string => `${running} running ${running === 1 ? "process" : "processes"}`;
