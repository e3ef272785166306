import { sql } from "drizzle-orm";
import type { FastifyBaseLogger } from "fastify";
import { type Database, rowsOf } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/id.ts";
import { repeat } from "../../../platform/repeat.ts";
import type { WorkClass } from "../../../platform/work/work.ts";

/** How long a lease lasts, by the database's clock. When it expires, the process counts as dead, and others take over its files. */
const leaseMs = 5_000;
const renewIntervalMs = 1_000;
/** Safety margin when a process judges its own lease. */
const marginMs = 1_000;
/**
 * After a gap this long between renewals the database may have been down, so that no process could renew. Half a lease:
 * another process's renewals come up to `renewIntervalMs` earlier before an outage, and later after it.
 */
const gapMs = leaseMs / 2;

export type Lease = {
  /** The name of this process in the rows, new with each start. */
  id: string;
  /** True while the lease certainly holds. False does not mean that it expired. */
  isHeld(): boolean;
  /**
   * True once this process has renewed without a gap for the length of a lease. Only then does an expired lease mean a
   * dead process: after an outage of the database all leases have expired.
   */
  isReliable(): boolean;
  /** Whether the engines of this process take work. While they do not, they count for no one's share. */
  setTakesWork(takesWork: boolean): Promise<void>;
  close(): Promise<void>;
};

export type LeaseOptions = {
  db: Database;
  role: "all" | "api" | "worker";
  classes: readonly WorkClass[];
  /** Engines of each class. Default: none. */
  engines?: Partial<Record<WorkClass, number>>;
  /**
   * Only this process can write to the database: all other rows belong to processes that have ended, and no one else can
   * expire its lease. The lease never expires, so the process continues after a suspended laptop or a long computation.
   */
  exclusive: boolean;
  log: Pick<FastifyBaseLogger, "warn">;
  /** What all processes on one database must share. Default: not compared. */
  installation?: Installation;
};

export type Installation = {
  /** Hashes of the secrets that this process accepts; none if it has no use for one. */
  secrets: readonly string[];
  /** The id of the store of its pictures. */
  blobs: string;
};

/** The processes that are alive on this database differ from this one. */
export class OtherInstallation extends Error {
  readonly differs: keyof Installation;
  constructor(differs: keyof Installation) {
    super(`the other processes on this database have different ${differs}`);
    this.differs = differs;
  }
}

/**
 * Takes a lease for this process, and renews it until `close`.
 * @throws OtherInstallation
 */
export async function openLease({
  db,
  role,
  classes,
  engines = {},
  exclusive,
  log,
  installation,
}: LeaseOptions): Promise<Lease> {
  const id = newId("proc");
  let heldUntil = 0;
  let takesWork = true;
  const enginesOf = (workClass: WorkClass) => (takesWork ? (engines[workClass] ?? 0) : 0);
  let renewedAt = performance.now();
  // The past is unknown: the database may just have come back.
  let reliableFrom = performance.now() + leaseMs;
  const release = () => db.execute(sql`delete from processes where id = ${id}`);
  const renew = async () => {
    const startedAt = performance.now();
    await db.execute(sql`
      insert into processes (id, role, classes, picture_engines, model_engines, secrets, blobs, lease_until)
      values (${id}, ${role}, ${classes.join(",")}, ${enginesOf("picture")}::int, ${enginesOf("model")}::int,
        ${installation?.secrets.join(",") ?? null}, ${installation?.blobs ?? null},
        ${exclusive ? sql`'infinity'` : sql`now() + ${leaseMs}::int * interval '1 ms'`})
      on conflict (id) do update set lease_until = excluded.lease_until, picture_engines = excluded.picture_engines,
        model_engines = excluded.model_engines`);
    // The database read its clock after the request was sent, so the lease lasts at least this long.
    heldUntil = exclusive ? Number.POSITIVE_INFINITY : startedAt + leaseMs - marginMs;
    if (startedAt - renewedAt > gapMs) reliableFrom = performance.now() + leaseMs;
    renewedAt = startedAt;
  };
  if (exclusive) await db.execute(sql`delete from processes`);
  await renew();
  if (installation)
    await requireSameInstallation(db, { id, installation }).catch(async (problem: unknown) => {
      await release();
      throw problem;
    });
  const renewal = exclusive
    ? undefined
    : repeat(renew, {
        intervalMs: renewIntervalMs,
        onProblem: (problem) => log.warn({ err: problem }, "cannot renew the lease of this process"),
      });
  return {
    id,
    isHeld: () => performance.now() < heldUntil,
    isReliable() {
      const now = performance.now();
      return exclusive || (now - renewedAt <= gapMs && now >= reliableFrom);
    },
    async setTakesWork(takes) {
      takesWork = takes;
      await renew();
    },
    async close() {
      await renewal?.stop();
      heldUntil = 0;
      // Without a clean shutdown the others wait for the lease to expire.
      await release().catch((problem: unknown) =>
        log.warn({ err: problem }, "cannot release the lease of this process; it expires by itself"),
      );
    },
  };
}

/** Compares this process with those that are alive. One that was just started with the wrong settings must not take work from them. */
async function requireSameInstallation(
  db: Database,
  { id, installation }: { id: string; installation: Installation },
): Promise<void> {
  const others = await rowsOf<{ secrets: string; blobs: string }>(
    db.execute(sql`
      select secrets, blobs from processes
      where id <> ${id} and lease_until > now() and secrets is not null and blobs is not null`),
  );
  // During a rotation one process accepts the previous secret of the other.
  const sharesSecret = ({ secrets }: { secrets: string }) =>
    secrets === "" ||
    installation.secrets.length === 0 ||
    secrets.split(",").some((one) => installation.secrets.includes(one));
  if (!others.every(sharesSecret)) throw new OtherInstallation("secrets");
  if (others.some(({ blobs }) => blobs !== installation.blobs)) throw new OtherInstallation("blobs");
}

/** SQL condition: the process of that id is alive, by its lease if leases are reliable, otherwise by its row. */
export const isAlive = (processId: ReturnType<typeof sql.raw>, lease: Pick<Lease, "isReliable">) =>
  sql`exists (select 1 from processes p where p.id = ${processId} and (p.lease_until > now() or not ${lease.isReliable()}::boolean))`;
