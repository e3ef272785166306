import { type SQL, sql } from "drizzle-orm";
import { type Queryable, rowsOf } from "../../platform/db/database.ts";
import { newId } from "../../platform/id.ts";

/** Credits by the grant that they are from. */
export type GrantedCredits = Record<string, number>;

/** A grant that is in force: its credits, those left, and its end. Null: until they are spent. */
export type Grant = { credits: number; left: number; endsAt: Date | null };

/** The condition on a grant `g`. */
export const isInForce = (now: Date): SQL =>
  sql`g.open > 0 and (g.ends_at is null or g.ends_at > ${now.toISOString()}::timestamptz)`;

/** The grants that a holder can spend, in the order in which they are spent. */
export async function listGrants(db: Queryable, { holder, now }: { holder: string; now: Date }): Promise<Grant[]> {
  const rows = await rowsOf<{ credits: number; open: number; ends_at: Date | null }>(
    db.execute(sql`
      select g.credits, g.open, g.ends_at from credit_grants g where g.holder = ${holder} and ${isInForce(now)}
      order by g.ends_at nulls last, g.granted_at, g.id`),
  );
  return rows.map(({ credits, open, ends_at }) => ({ credits, left: open, endsAt: ends_at && new Date(ends_at) }));
}

/** The holder's row must be locked. */
export async function insertGrant(
  tx: Queryable,
  { holder, credits, endsAt, now }: { holder: string; credits: number; endsAt: Date | null; now: Date },
): Promise<GrantedCredits> {
  const id = newId("grt");
  await tx.execute(sql`
    insert into credit_grants (id, holder, credits, open, ends_at, granted_at)
    values (${id}, ${holder}, ${credits}::int, ${credits}::int, ${endsAt?.toISOString() ?? null}::timestamptz,
      ${now.toISOString()}::timestamptz)`);
  return { [id]: credits };
}

/**
 * Takes up to so many credits from the holder's grants: those that end first before the others, or `newestFirst`. The
 * holder's row must be locked.
 */
export async function takeGranted(
  tx: Queryable,
  { holder, credits, now, newestFirst = false }: { holder: string; credits: number; now: Date; newestFirst?: boolean },
): Promise<GrantedCredits> {
  if (credits === 0) return {};
  const order = newestFirst ? sql`g.granted_at desc, g.id desc` : sql`g.ends_at nulls last, g.granted_at, g.id`;
  const rows = await rowsOf<{ id: string; taken: number }>(
    tx.execute(sql`
      with running as (
        select g.id, g.open, coalesce(sum(g.open) over (order by ${order} rows between unbounded preceding and 1 preceding), 0) as before
        from credit_grants g where g.holder = ${holder} and ${isInForce(now)}),
      taken as (select id, least(open, ${credits}::int - before)::int as taken from running where before < ${credits}::int)
      update credit_grants g set open = g.open - taken.taken from taken where g.id = taken.id
      returning g.id, taken.taken`),
  );
  return Object.fromEntries(rows.map(({ id, taken }) => [id, taken]));
}

/** Gives credits back to the grants that had paid them, also after their end. The holder's row must be locked. */
export async function returnGranted(tx: Queryable, granted: GrantedCredits): Promise<void> {
  for (const [id, credits] of Object.entries(granted))
    await tx.execute(sql`update credit_grants set open = open + ${credits}::int where id = ${id}`);
}

export const sumOf = (granted: GrantedCredits): number =>
  Object.values(granted).reduce((sum, credits) => sum + credits, 0);

/** The value of the ledger's column. */
export const grantsColumn = (granted: GrantedCredits): SQL =>
  Object.keys(granted).length === 0 ? sql`null::jsonb` : sql`${JSON.stringify(granted)}::jsonb`;
