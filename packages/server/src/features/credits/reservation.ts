import { sql } from "drizzle-orm";
import { type Queryable, rowsOf } from "../../platform/db/database.ts";
import { decreaseCounter, decreaseNetwork, readCounter } from "./counter.ts";
import { grantsColumn, returnGranted, sumOf } from "./grants.ts";

/** A reservation expires after this time. */
export const reservationLifeMs = 10 * 60_000;

type ReservationRow = { id: string; day: string; network: string | null; open: number; grant_id: string | null };

/** Refunds the rest of the holder's expired reservations. The holder's row must be locked. */
async function expireReservations(tx: Queryable, { holder, now }: { holder: string; now: Date }): Promise<void> {
  const expired = await rowsOf<ReservationRow>(
    tx.execute(sql`
      with due as (
        select id, open from reservations
        where holder = ${holder} and open > 0 and expires_at <= ${now.toISOString()}::timestamptz for update)
      update reservations r set open = 0 from due where r.id = due.id
      returning r.id, r.day::text as day, r.network, r.grant_id, due.open`),
  );
  for (const { id, day, network, open, grant_id } of expired) {
    const grants = grant_id === null ? {} : { [grant_id]: open };
    const given = sumOf(grants);
    await tx.execute(sql`
      insert into credit_entries (holder, network, day, at, kind, credits, given, grants, reservation_id)
      values (${holder}, ${network}, ${day}::date, ${now.toISOString()}::timestamptz, 'lapse', ${-open}::int, ${-given}::int,
        ${grantsColumn(grants)}, ${id})`);
    await decreaseCounter(tx, { holder, credits: open, day, given, reserved: open });
    await returnGranted(tx, grants);
    if (network) await decreaseNetwork(tx, { network, credits: open, day });
  }
}

export type SpentReservation = { reservationId: string; day: string; grantId: string | null };

/**
 * Spends up to `credits` from open reservations, earliest expiry first, and from each a multiple of `creditsPerFile`. The row
 * must be locked.
 */
export async function spendReservations(
  tx: Queryable,
  { holder, credits, creditsPerFile }: { holder: string; credits: number; creditsPerFile: number },
): Promise<SpentReservation[]> {
  const open = await openReservations(tx, holder, { lock: true });
  const spent: SpentReservation[] = [];
  for (const row of open) {
    const take = takenFrom(row, { credits: credits - spent.length, creditsPerFile });
    if (take === 0) continue;
    await tx.execute(sql`update reservations set open = open - ${take}::int where id = ${row.id}`);
    for (let i = 0; i < take; i++) spent.push({ reservationId: row.id, day: row.day, grantId: row.grant_id });
  }
  if (spent.length > 0)
    await tx.execute(sql`update allowances set reserved = reserved - ${spent.length}::int where holder = ${holder}`);
  return spent;
}

/** Earliest expiry first. */
export function openReservations(db: Queryable, holder: string, { lock = false } = {}): Promise<ReservationRow[]> {
  return rowsOf<ReservationRow>(
    db.execute(sql`
      select id, day::text as day, network, open, grant_id from reservations
      where holder = ${holder} and open > 0 order by expires_at, id ${lock ? sql`for update` : sql``}`),
  );
}

/** How many of a reservation's credits are spent: only those of whole files. */
export const takenFrom = (
  { open }: Pick<ReservationRow, "open">,
  { credits, creditsPerFile }: { credits: number; creditsPerFile: number },
) => (creditsPerFile === 0 ? 0 : Math.min(open - (open % creditsPerFile), credits - (credits % creditsPerFile)));

/** Locks the holder's row and expires what is due. Returns whether reservations are still open. */
export async function settleReservations(
  tx: Queryable,
  { holder, now }: { holder: string; now: Date },
): Promise<boolean> {
  const counter = await readCounter(tx, { holder, now, lock: true });
  if (!counter || counter.reserved === 0) return false;
  await expireReservations(tx, { holder, now });
  return true;
}
