import { DomainError } from "@tintype/contract";
import { type SQL, sql } from "drizzle-orm";
import { type Database, type Queryable, rowsOf } from "../../../platform/db/database.ts";
import { networksAround } from "../../../platform/network.ts";

/**
 * Unpaid engine time: free tasks and refunded files. Without a limit one account could keep the engines busy at no cost
 * with work that always fails.
 */
export type FreeWorkLimits = {
  /** Per caller and window, ms. */
  callerMs: number;
  /** For all guests and free accounts of one network, per window, ms. Wider networks have a multiple of it. */
  networkMs: number;
  /** The limits of `backgroundWork`. */
  isHalf?: true;
};

/** Whose budget a file's time counts against. People with a paid plan share none with their network. */
export type FreeWorker = { owner: string; network: string | null };

/** The window starts with the first use. */
const windowMs = 3_600_000;

/**
 * Background requests, such as the studio's previews, may use half of the budget. An exhausted budget would refuse paid work too.
 */
export const backgroundWork = ({ callerMs, networkMs }: FreeWorkLimits): FreeWorkLimits => ({
  callerMs: callerMs / 2,
  networkMs: networkMs / 2,
  isHalf: true,
});

/** Everything that the worker's time counts against, and how many times the limits of a caller or a network each has. */
export const countersOf = ({ owner, network }: FreeWorker): { key: string; share: number }[] => [
  { key: owner, share: 1 },
  ...(network === null ? [] : networksAround(network).filter(({ key }) => key !== owner)),
];

export async function countFreeWork(
  db: Queryable,
  { engineMs, now, ...worker }: FreeWorker & { engineMs: number; now: Date },
): Promise<void> {
  const spentMs = Math.round(engineMs);
  if (spentMs <= 0) return;
  const at = sql`${now.toISOString()}::timestamptz`;
  const isOver = sql`u.since <= ${windowStart(now)}`;
  // A fixed lock order prevents deadlocks.
  const keys = countersOf(worker)
    .map(({ key }) => key)
    .toSorted();
  await db.execute(sql`
    insert into free_engine_use as u (key, since, engine_ms)
    select key, ${at}, ${spentMs}::bigint from unnest(${sql.param(keys)}::text[]) as key order by key
    on conflict (key) do update set
      engine_ms = case when ${isOver} then 0 else u.engine_ms end + excluded.engine_ms,
      since = case when ${isOver} then excluded.since else u.since end`);
}

export type FreeWorkCheck = FreeWorker & { limits: FreeWorkLimits; now: Date };

/** A budget that is used up, and when its window ends. */
export type UsedUpBudget = { key: string; ends_in_s: number };

/** SQL expression: `UsedUpBudget` of the caller, of their network or of one around it; null while there is none. */
export function usedUpBudget({ limits, now, ...worker }: FreeWorkCheck): SQL<UsedUpBudget | null> {
  const budgets = countersOf(worker).map(({ key, share }) => ({
    key,
    limitMs: key === worker.owner ? limits.callerMs : limits.networkMs * share,
  }));
  const keys = sql.param(budgets.map(({ key }) => key));
  const limitsMs = sql.param(budgets.map(({ limitMs }) => limitMs));
  return sql`(
    select json_build_object('key', u.key, 'ends_in_s', extract(epoch from u.since - ${windowStart(now)})::float8)
    from unnest(${keys}::text[], ${limitsMs}::float8[]) as budget(key, limit_ms) join free_engine_use u on u.key = budget.key
    where u.since > ${windowStart(now)} and u.engine_ms >= budget.limit_ms limit 1)`;
}

/** @throws too-many-requests while the budget of the caller, of their network or of one around it is used up */
export async function requireFreeWork(db: Database, check: FreeWorkCheck): Promise<void> {
  const [row] = await rowsOf<{ used_up: UsedUpBudget | null }>(
    db.execute(sql`select ${usedUpBudget(check)} as used_up`),
  );
  if (row?.used_up) throw freeWorkUsedUp(row.used_up, check);
}

export function freeWorkUsedUp({ key, ends_in_s: endsInSeconds }: UsedUpBudget, { owner, limits }: FreeWorkCheck) {
  const isOwner = key === owner;
  const retryAfterSeconds = Math.max(1, Math.ceil(endsInSeconds));
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const whose = isOwner ? "Your previews and failed images" : "Previews and failed images from your network";
  const used = limits.isHalf
    ? "half of the free computing time for this hour, beyond which there are no previews"
    : "all the free computing time for this hour";
  return new DomainError("too-many-requests", {
    detail: `${whose} have used ${used}. Please try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`,
    retryAfterSeconds,
  });
}

export async function forgetFreeWork(db: Database, now: Date): Promise<void> {
  await db.execute(sql`delete from free_engine_use where since <= ${windowStart(now)}`);
}

const windowStart = (now: Date) => sql`${new Date(now.getTime() - windowMs).toISOString()}::timestamptz`;
