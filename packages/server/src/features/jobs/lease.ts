import { sql } from "drizzle-orm";
import type { FastifyBaseLogger } from "fastify";
import type { Database } from "../../platform/db/database.ts";
import { newId } from "../../platform/id.ts";
import { oneAtATime } from "../../platform/one-at-a-time.ts";
import type { WorkClass } from "../../platform/work/work.ts";

/** A process that did not renew for so long, by the database's clock, is taken for dead: what it had in hand goes to others. */
const leaseMs = 5_000;
const renewEveryMs = 1_000;
/** Taken off where the process itself judges its lease. */
const marginMs = 1_000;
/**
 * Without a renewal for so long, the database may have been away, and then no process could renew. Half a lease: another process
 * renews up to `renewEveryMs` earlier before an outage, and later after it.
 */
const gapMs = leaseMs / 2;

export type Lease = {
  /** The name of this process in the rows: new with each start. */
  id: string;
  /** True while certainly no process takes this one for dead; false does not mean that one does. */
  isHeld(): boolean;
  /**
   * True while this process renews without a gap, and has done so for the length of a lease since it began or since the last gap.
   * Only then does a lease that ran out tell of a dead process: after an outage of the database all leases have run out.
   */
  isSteady(): boolean;
  close(): Promise<void>;
};

export type LeaseOptions = {
  db: Database;
  role: "all" | "api" | "worker";
  classes: readonly WorkClass[];
  /**
   * This process alone can write to the database: every other row is of a process that has ended, and no other process can take
   * this one for dead. Its lease does not run out, therefore: a laptop that slept, or computed for long, goes on where it was.
   */
  exclusive: boolean;
  log: Pick<FastifyBaseLogger, "warn">;
};

/** Enters the process among the living ones, and keeps it there until `close`. */
export async function openLease({ db, role, classes, exclusive, log }: LeaseOptions): Promise<Lease> {
  const id = newId("proc");
  let heldUntil = 0;
  let renewedAt = performance.now();
  // The process knows nothing of the time before: the database may just be back.
  let steadyFrom = performance.now() + leaseMs;
  const renew = async () => {
    const asked = performance.now();
    await db.execute(sql`
      insert into processes (id, role, classes, lease_until)
      values (${id}, ${role}, ${classes.join(",")},
        ${exclusive ? sql`'infinity'` : sql`now() + ${leaseMs}::int * interval '1 ms'`})
      on conflict (id) do update set lease_until = excluded.lease_until`);
    // The database's moment was later than the question: the lease is no shorter than this.
    heldUntil = exclusive ? Number.POSITIVE_INFINITY : asked + leaseMs - marginMs;
    if (asked - renewedAt > gapMs) steadyFrom = performance.now() + leaseMs;
    renewedAt = asked;
  };
  if (exclusive) await db.execute(sql`delete from processes`);
  await renew();
  const renewal = oneAtATime(renew);
  const renewAgain = () =>
    void renewal
      .start()
      .catch((problem: unknown) => log.warn({ err: problem }, "the lease of this process was not renewed"));
  const timer = exclusive ? undefined : setInterval(renewAgain, renewEveryMs);
  return {
    id,
    isHeld: () => performance.now() < heldUntil,
    isSteady() {
      const now = performance.now();
      return exclusive || (now - renewedAt <= gapMs && now >= steadyFrom);
    },
    async close() {
      clearInterval(timer);
      await renewal.settled();
      heldUntil = 0;
      // Without the farewell the others wait until the lease has run out.
      await db
        .execute(sql`delete from processes where id = ${id}`)
        .catch((problem: unknown) => log.warn({ err: problem }, "the lease of this process runs out by itself"));
    },
  };
}

/** True in SQL while the process of that id is taken for alive: by its lease where that tells, else as long as it has a row. */
export const isAlive = (processId: ReturnType<typeof sql.raw>, lease: Pick<Lease, "isSteady">) =>
  sql`exists (select 1 from processes p where p.id = ${processId} and (p.lease_until > now() or not ${lease.isSteady()}::boolean))`;
