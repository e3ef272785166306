import { DomainError, limits, type OperationName } from "@tintype/contract";
import { sql } from "drizzle-orm";
import { type Clock, utcDay, utcMonth } from "../../platform/clock.ts";
import { type Database, type Queryable, rowsOf, type Transaction } from "../../platform/db/database.ts";
import { newId } from "../../platform/id.ts";
import { type Counters, type Holder, networkAllowance, type Usage, usageOf } from "./allowance.ts";
import { decreaseCounter, increaseCounter, readCounter } from "./counter.ts";
import { reservationLifeMs, type Spent, settleReservations, spendReservations } from "./reservation.ts";

export type Charge = { jobId: string; operation: OperationName; files: readonly { index: number; name: string }[] };
/** `isFast`: the job's files are within the day's fast lane allowance. */
export type Charged = { usage: Usage; isFast: boolean };

/**
 * Credits: one file, one credit, taken once and given back once. README.md beside this file has the rules.
 * Every method that takes a transaction does its part in it and nothing outside.
 */
export type Ledger = {
  /**
   * Takes a credit a file, open reservations first.
   * @throws out-of-credits, network-allowance; then nothing was taken
   */
  charge(tx: Transaction, holder: Holder, charge: Charge): Promise<Charged>;
  /**
   * Sets credits aside for the holder's next operations.
   * @throws out-of-credits, network-allowance; then nothing was taken
   */
  reserve(tx: Transaction, holder: Holder, credits: number): Promise<Usage>;
  /** Returns the credits of these files of a job, each at most once whoever asks how often; answers how many. */
  giveBack(
    tx: Queryable,
    back: { jobId: string; files: readonly { index: number; reason: string }[] },
  ): Promise<number>;
  usage(holder: Pick<Holder, "key" | "tier">): Promise<Usage>;
  /**
   * Looks whether the holder has anything left at all, before their upload is taken in. It takes nothing.
   * @throws out-of-credits, network-allowance
   */
  requireCredit(holder: Holder): Promise<void>;
  /** Lapses run-out reservations of everybody, for counters that nobody looks at. */
  lapseAll(): Promise<void>;
};

export function createLedger({ db, clock }: { db: Database; clock: Clock }): Ledger {
  return {
    async charge(tx, holder, { jobId, operation, files }) {
      const now = clock.now();
      const { counters, spent } = await take(tx, { holder, credits: files.length, now });
      await tx.execute(sql`
        insert into credit_entries
          (holder, network, day, at, kind, credits, reservation_id, job_id, file_index, operation, file_name)
        values ${sql.join(
          files.map(({ index, name }, i) => {
            const reserved = spent[i];
            return sql`(${holder.key}, ${holder.network ?? null}, ${reserved?.day ?? counters.day}::date,
              ${now.toISOString()}::timestamptz, 'charge', ${reserved ? 0 : 1}, ${reserved?.reservationId ?? null},
              ${jobId}, ${index}::int, ${operation}, ${name})`;
          }),
          sql`, `,
        )}`);
      const usage = usageOf(counters, { tier: holder.tier, day: utcDay(now), month: utcMonth(now) });
      return { usage, isFast: usage.fastLimit > 0 && counters.dayUsed <= usage.fastLimit };
    },

    async reserve(tx, holder, credits) {
      const now = clock.now();
      await settleReservations(tx, { holder: holder.key, now });
      const counters = await increase(tx, { holder, credits, reserved: credits, now });
      const id = newId("res");
      const expires = new Date(now.getTime() + reservationLifeMs).toISOString();
      await tx.execute(sql`
        insert into reservations (id, holder, network, day, open, expires_at)
        values (${id}, ${holder.key}, ${holder.network ?? null}, ${counters.day}::date, ${credits}::int, ${expires}::timestamptz)`);
      await tx.execute(sql`
        insert into credit_entries (holder, network, day, at, kind, credits, reservation_id)
        values (${holder.key}, ${holder.network ?? null}, ${counters.day}::date, ${now.toISOString()}::timestamptz,
          'reserve', ${credits}::int, ${id})`);
      return usageOf(counters, { tier: holder.tier, day: utcDay(now), month: utcMonth(now) });
    },

    async giveBack(tx, { jobId, files }) {
      if (files.length === 0) return 0;
      const given = await rowsOf<{ holder: string; network: string | null; day: string; credits: number }>(
        tx.execute(sql`
          with wanted (file_index, reason) as (values ${sql.join(
            files.map(({ index, reason }) => sql`(${index}::int, ${reason}::text)`),
            sql`, `,
          )}), back as (
            insert into credit_entries (holder, network, day, at, kind, credits, job_id, file_index, operation, file_name, reason)
            select e.holder, e.network, e.day, ${clock.now().toISOString()}::timestamptz, 'give-back', -1,
              e.job_id, e.file_index, e.operation, e.file_name, w.reason
            from credit_entries e join wanted w on w.file_index = e.file_index
            where e.job_id = ${jobId} and e.kind = 'charge'
            on conflict (job_id, file_index, kind) do nothing
            returning holder, network, day)
          select holder, network, day::text as day, count(*)::int as credits from back group by holder, network, back.day`),
      );
      // Holders before networks, as everywhere: two transactions never wait for each other crosswise.
      for (const { holder, day, credits } of given) await decreaseCounter(tx, { holder, credits, day });
      for (const { network, day, credits } of given)
        if (network) await decreaseCounter(tx, { holder: network, credits, day });
      return given.reduce((sum, { credits }) => sum + credits, 0);
    },

    async usage({ key, tier }) {
      const now = clock.now();
      let counter = await readCounter(db, { holder: key });
      if (counter && counter.reserved > 0) {
        await db.transaction((tx) => settleReservations(tx, { holder: key, now }));
        counter = await readCounter(db, { holder: key });
      }
      return usageOf(counter, { tier, day: utcDay(now), month: utcMonth(now) });
    },

    async requireCredit(holder) {
      const now = clock.now();
      const window = { tier: holder.tier, day: utcDay(now), month: utcMonth(now) };
      const counter = await readCounter(db, { holder: holder.key });
      const { used, limit } = usageOf(counter, window);
      if (counter && counter.reserved > 0) return;
      if (used >= limit) throw refusal(counter, { holder, credits: 1, now });
      const shared = holder.network && (await readCounter(db, { holder: holder.network }));
      if (shared && shared.day >= window.day && shared.dayUsed >= networkAllowance.credits)
        throw new DomainError("network-allowance");
    },

    async lapseAll() {
      const now = clock.now();
      const due = await rowsOf<{ holder: string }>(
        db.execute(sql`
          select distinct holder from reservations
          where open > 0 and expires_at <= ${now.toISOString()}::timestamptz limit 1000`),
      );
      for (const { holder } of due) await db.transaction((tx) => settleReservations(tx, { holder, now }));
    },
  };
}

/** Most holders have no open reservation: then one statement does it. Else the row is locked and they are spent first. */
async function take(
  tx: Transaction,
  { holder, credits, now }: { holder: Holder; credits: number; now: Date },
): Promise<{ counters: Counters; spent: Spent[] }> {
  const allowance = limits[holder.tier];
  const straight = await increaseCounter(tx, {
    holder: holder.key,
    credits,
    allowance,
    now,
    onlyWithoutReservations: true,
  });
  if (straight) {
    await increaseNetwork(tx, { holder, credits, now });
    return { counters: straight, spent: [] };
  }
  const hasOpen = await settleReservations(tx, { holder: holder.key, now });
  const spent = hasOpen ? await spendReservations(tx, { holder: holder.key, wanted: credits }) : [];
  return { counters: await increase(tx, { holder, credits: credits - spent.length, now }), spent };
}

async function increase(
  tx: Transaction,
  { holder, credits, reserved = 0, now }: { holder: Holder; credits: number; reserved?: number; now: Date },
): Promise<Counters> {
  const counters = await increaseCounter(tx, {
    holder: holder.key,
    credits,
    reserved,
    allowance: limits[holder.tier],
    now,
  });
  if (!counters) throw refusal(await readCounter(tx, { holder: holder.key }), { holder, credits, now });
  await increaseNetwork(tx, { holder, credits, now });
  return counters;
}

async function increaseNetwork(
  tx: Transaction,
  { holder, credits, now }: { holder: Holder; credits: number; now: Date },
): Promise<void> {
  if (!holder.network || credits === 0) return;
  const counters = await increaseCounter(tx, { holder: holder.network, credits, allowance: networkAllowance, now });
  if (!counters) throw new DomainError("network-allowance");
}

function refusal(
  counter: Counters | undefined,
  { holder, credits, now }: { holder: Holder; credits: number; now: Date },
): DomainError {
  const { used, limit, window } = usageOf(counter, { tier: holder.tier, day: utcDay(now), month: utcMonth(now) });
  const left = Math.max(0, limit - used);
  const when = { ever: "", month: " this month", day: " today" }[window];
  const next = holder.tier === "guest" ? "Sign in to go on." : "Consider upgrading your plan.";
  const detail =
    left === 0
      ? `You have used all ${limit} credits${holder.tier === "guest" ? " that guests have" : when}. ${next}`
      : `This needs ${credits} credits, and ${left} of ${limit} ${left === 1 ? "is" : "are"} left${when}. ${next}`;
  return new DomainError("out-of-credits", { detail });
}
