import { DomainError, limits, type OperationName } from "@tintype/contract";
import { type SQL, sql } from "drizzle-orm";
import { type Clock, utcDay, utcMonth } from "../../platform/clock.ts";
import { type Database, type Queryable, rowsOf, type Transaction } from "../../platform/db/database.ts";
import { newId } from "../../platform/id.ts";
import { shareAccount } from "../accounts/accounts.ts";
import {
  type AllowanceRule,
  type Counters,
  type CountingRules,
  countingOf,
  creditsLeft,
  type Holder,
  networkCounters,
  type Usage,
  usageOf,
  windowEnd,
} from "./allowance.ts";
import {
  type CounterRow,
  countersOf,
  currentCounter,
  decreaseCounter,
  decreaseNetwork,
  increaseCounter,
  increaseStatement,
  markPayingStatement,
  networkLimit,
  readCounter,
  readNetworkLimit,
} from "./counter.ts";
import {
  openReservations,
  reservationLifeMs,
  type SpentReservation,
  settleReservations,
  spendReservations,
  takenFrom,
} from "./reservation.ts";

export type Charge = {
  jobId: string;
  operation: OperationName;
  /** Default: 1. */
  creditsPerFile?: number;
  files: readonly { index: number; name: string }[];
};
/** The reason of a refund: compress could not make the file smaller, and returned the original. */
export const nothingSaved = "nothing-saved";

/** The reason of a refund: the person discarded a flagged result before it was delivered. */
export const discarded = "discarded";

/** `isFast`: the job's files are within the daily fast-lane allowance. */
export type Charged = { usage: Usage; isFast: boolean };

/** The usage before and after an adjustment. */
export type Adjustment = { before: Usage; after: Usage };

export type ChargePrediction = { usage: Usage; taken: number; refusal: DomainError | undefined };

/**
 * Credits: each file is charged once and refunded at most once. The README.md in this folder has the rules. A method that
 * takes a transaction does all of its work in it.
 */
export type Ledger = {
  /**
   * Charges the files, open reservations first.
   * @throws out-of-credits, network-allowance; then nothing was charged
   */
  charge(tx: Transaction, holder: Holder, charge: Charge): Promise<Charged>;
  /**
   * Reserves credits for the holder's next operations.
   * @throws out-of-credits, network-allowance; then nothing was reserved
   */
  reserve(tx: Transaction, holder: Holder, credits: number): Promise<Usage>;
  /** Refunds these files of a job. Idempotent: each at most once. Returns the number of credits. */
  refund(tx: Queryable, back: { jobId: string; files: readonly { index: number; reason: string }[] }): Promise<number>;
  /**
   * Grants credits in the current window, or deducts them if `credits` is negative. Granted credits end with the window.
   * @throws conflict when more are deducted than are left; unauthorized when the account is gone
   */
  adjust(tx: Transaction, holder: Holder, adjustment: { credits: number; reason: string }): Promise<Adjustment>;
  usage(holder: Holder): Promise<Usage>;
  /**
   * Checks before an upload that the holder has this many credits left, by default one. Charges nothing.
   * @throws out-of-credits, network-allowance
   */
  requireCredit(holder: Holder, credits?: number): Promise<void>;
  /** How much `charge` would take beyond open reservations, and whether it would be refused. Charges nothing. */
  predictCharge(holder: Holder, charge: { files: number; creditsPerFile: number }): Promise<ChargePrediction>;
  /** Expires overdue reservations of all holders, including those that make no requests. */
  expireReservations(): Promise<void>;
};

type LedgerDependencies = { db: Database; clock: Clock; rules?: CountingRules };

export function createLedger({
  db,
  clock,
  rules = { mustVerify: false, perNetwork: false },
}: LedgerDependencies): Ledger {
  const usageNow = (counters: Counters | undefined, holder: Holder, now: Date) =>
    usageOf(counters, {
      counting: countingOf(holder, rules),
      tier: holder.tier,
      day: utcDay(now),
      month: utcMonth(now),
    });
  /** The holder's counter, without expired reservations. */
  const settledCounter = async ({ key }: Holder, now: Date) => {
    const counter = await currentCounter(db, { holder: key, now });
    if (!counter || counter.reserved === 0) return counter;
    await db.transaction((tx) => settleReservations(tx, { holder: key, now }));
    return readCounter(db, { holder: key });
  };
  return {
    async charge(tx, holder, charge) {
      const { creditsPerFile = 1, files } = charge;
      const now = clock.now();
      const request = {
        holder,
        counting: countingOf(holder, rules),
        now,
        credits: files.length * creditsPerFile,
        creditsPerFile,
      };
      await repairNetwork(tx, request);
      const counters =
        (await chargeStraight(tx, request, charge)) ?? (await chargeWithReservations(tx, request, charge));
      const usage = usageNow(counters, holder, now);
      return { usage, isFast: usage.fastLimit > 0 && counters.dayUsed <= usage.fastLimit };
    },

    async reserve(tx, holder, credits) {
      await assertAccount(tx, holder);
      const now = clock.now();
      const dependencies = { holder, counting: countingOf(holder, rules), now };
      const network = dependencies.counting.network?.key ?? null;
      await repairNetwork(tx, dependencies);
      await settleReservations(tx, { holder: holder.key, now });
      const counters = await increase(tx, { ...dependencies, credits, reserved: credits });
      await insertReservation(tx, { holder: holder.key, network, day: counters.day, credits, now });
      return usageNow(counters, holder, now);
    },

    refund: (tx, back) => refundFiles(tx, { ...back, now: clock.now() }),

    async adjust(tx, holder, { credits, reason }) {
      await assertAccount(tx, holder);
      const now = clock.now();
      await settleReservations(tx, { holder: holder.key, now });
      await currentCounter(tx, { holder: holder.key, now });
      const before = usageNow(await readCounter(tx, { holder: holder.key, lock: true }), holder, now);
      const allowance = credits > 0 ? { credits: null, window: before.window } : countingOf(holder, rules);
      const counters = await increaseCounter(tx, { holder: holder.key, credits: -credits, allowance, now });
      if (!counters) {
        const left = creditsLeft(before);
        throw new DomainError("conflict", {
          detail: `There ${left === 1 ? "is 1 credit" : `are ${left} credits`} left to take.`,
        });
      }
      await tx.execute(sql`
        insert into credit_entries (holder, day, at, kind, credits, price, reason)
        values (${holder.key}, ${counters.day}::date, ${now.toISOString()}::timestamptz, 'adjust', ${-credits}::int, 0, ${reason})`);
      return { before, after: usageNow(counters, holder, now) };
    },

    async usage(holder) {
      const now = clock.now();
      return usageNow(await settledCounter(holder, now), holder, now);
    },

    async predictCharge(holder, { files, creditsPerFile }) {
      const now = clock.now();
      const counting = countingOf(holder, rules);
      const counter = await settledCounter(holder, now);
      const usage = usageNow(counter, holder, now);
      const wanted = files * creditsPerFile;
      const open = counter && counter.reserved > 0 ? await openReservations(db, holder.key) : [];
      const spent = open.reduce((sum, row) => sum + takenFrom(row, { credits: wanted - sum, creditsPerFile }), 0);
      const taken = wanted - spent;
      const isBeyond = usage.limit !== null && usage.used + taken > usage.limit;
      const isNetworkBeyond = taken > 0 && (await isBeyondNetwork(db, { counting, credits: taken, now }));
      const refused = isBeyond
        ? refusal(counter, { holder, counting, credits: taken, now })
        : isNetworkBeyond
          ? networkRefusal({ holder, counting, now })
          : undefined;
      return { usage, taken, refusal: refused };
    },

    async requireCredit(holder, credits = 1) {
      const now = clock.now();
      const counting = countingOf(holder, rules);
      const counter = await currentCounter(db, { holder: holder.key, now });
      if (counter && counter.reserved > 0) return;
      const { used, limit } = usageNow(counter, holder, now);
      if (limit !== null && used + credits > limit) throw refusal(counter, { holder, counting, credits, now });
      if (await isBeyondNetwork(db, { counting, credits, now })) throw networkRefusal({ holder, counting, now });
    },

    async expireReservations() {
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

async function insertReservation(
  tx: Transaction,
  reserved: { holder: string; network: string | null; day: string; credits: number; now: Date },
): Promise<void> {
  const { holder, network, day, credits, now } = reserved;
  const id = newId("res");
  const expires = new Date(now.getTime() + reservationLifeMs).toISOString();
  await tx.execute(sql`
    insert into reservations (id, holder, network, day, open, expires_at)
    values (${id}, ${holder}, ${network}, ${day}::date, ${credits}::int, ${expires}::timestamptz)`);
  await tx.execute(sql`
    insert into credit_entries (holder, network, day, at, kind, credits, reservation_id)
    values (${holder}, ${network}, ${day}::date, ${now.toISOString()}::timestamptz,
      'reserve', ${credits}::int, ${id})`);
}

/** Refunds each of these files that was charged and is not refunded yet. */
async function refundFiles(
  tx: Queryable,
  { jobId, files, now }: Parameters<Ledger["refund"]>[1] & { now: Date },
): Promise<number> {
  if (files.length === 0) return 0;
  const given = await rowsOf<{ holder: string; network: string | null; day: string; credits: number }>(
    tx.execute(sql`
      with wanted (file_index, reason) as (values ${sql.join(
        files.map(({ index, reason }) => sql`(${index}::int, ${reason}::text)`),
        sql`, `,
      )}), back as (
        insert into credit_entries
          (holder, tier, key_id, network, day, at, kind, credits, price, job_id, file_index, operation, file_name, reason)
        select e.holder, e.tier, e.key_id, e.network, e.day, ${now.toISOString()}::timestamptz, 'refund', -e.price,
          e.price, e.job_id, e.file_index, e.operation, e.file_name, w.reason
        from credit_entries e join wanted w on w.file_index = e.file_index
        where e.job_id = ${jobId} and e.kind = 'charge'
        on conflict (job_id, file_index, kind) do nothing
        returning holder, network, day, price)
      select holder, network, day::text as day, sum(price)::int as credits from back group by holder, network, back.day`),
  );
  // Locks holders before networks, as everywhere, to avoid deadlocks.
  for (const { holder, day, credits } of given) await decreaseCounter(tx, { holder, credits, day });
  for (const { network, day, credits } of given) if (network) await decreaseNetwork(tx, { network, credits, day });
  return given.reduce((sum, { credits }) => sum + credits, 0);
}

/** The indexes of a job's files that were charged and not refunded. An unchanged file is unchanged again on a repeat. */
export async function chargedFiles(tx: Transaction, jobId: string): Promise<Set<number>> {
  const rows = await rowsOf<{ file_index: number }>(
    tx.execute(sql`
      select file_index from credit_entries where job_id = ${jobId}
      group by file_index having bool_or(kind = 'charge')
        and not bool_or(kind = 'refund' and reason is distinct from ${nothingSaved})`),
  );
  return new Set(rows.map(({ file_index }) => file_index));
}

/** Otherwise a request that started before the account's deletion could spend a whole allowance without an owner. */
async function assertAccount(tx: Transaction, { accountId }: Holder): Promise<void> {
  if (accountId === undefined) return;
  const rows = await rowsOf(tx.execute(shareAccount(accountId)));
  if (rows.length === 0) throw new DomainError("unauthorized", { detail: "This account was deleted." });
}

type ChargeRequest = {
  holder: Holder;
  counting: AllowanceRule;
  credits: number;
  creditsPerFile?: number;
  reserved?: number;
  now: Date;
};

/**
 * Charges and inserts the entries in one statement. Undefined if that is not possible: open reservations must be spent
 * first, the allowance is too small, or the account is gone.
 */
async function chargeStraight(tx: Transaction, request: ChargeRequest, charge: Charge): Promise<Counters | undefined> {
  const { holder, counting, credits, now } = request;
  const { accountId } = holder;
  const increase = increaseStatement(
    { holder: holder.key, credits, allowance: counting, now },
    { ...(accountId === undefined ? {} : { when: sql`exists (select 1 from account)` }), onRow: sql`a.reserved = 0` },
  );
  const [row] = await rowsOf<CounterRow>(
    tx.execute(sql`
      with ${accountId === undefined ? sql`` : sql`account as (${shareAccount(accountId)}),`}
      counter as (${increase}),
      ${counting.payingKey ? sql`paying as (${markPayingStatement({ key: counting.payingKey, now }, sql`counter,`)}),` : sql``}
      entries as (${entriesStatement(request, charge, { day: sql`counter.day::date`, from: sql`counter,` })})
      select * from counter`),
  );
  if (!row) return undefined;
  await increaseNetwork(tx, request);
  return countersOf(row);
}

/** Locks the holder's row, and spends open reservations first. */
async function chargeWithReservations(tx: Transaction, request: ChargeRequest, charge: Charge): Promise<Counters> {
  const { holder, credits, creditsPerFile = 1, now } = request;
  await assertAccount(tx, holder);
  const hasOpen = await settleReservations(tx, { holder: holder.key, now });
  const spent = hasOpen ? await spendReservations(tx, { holder: holder.key, credits, creditsPerFile }) : [];
  const counters = await increase(tx, { ...request, credits: credits - spent.length });
  await tx.execute(entriesStatement(request, charge, { day: sql`${counters.day}::date`, spent }));
  return counters;
}

/** An entry per file. Reservations are spent by whole files, because each file's credits must have been reserved on one day. */
function entriesStatement(
  { holder, counting, now }: ChargeRequest,
  { jobId, operation, creditsPerFile = 1, files }: Charge,
  { day, from = sql``, spent = [] }: { day: SQL; from?: SQL; spent?: readonly SpentReservation[] },
): SQL {
  const rows = files.map(({ index, name }, i) => {
    const reserved = spent[i * creditsPerFile];
    return { index, name, reservation: reserved?.reservationId ?? null, reserved_on: reserved?.day ?? null };
  });
  return sql`
    insert into credit_entries
      (holder, tier, key_id, network, day, at, kind, credits, price, reservation_id, job_id, file_index, operation, file_name)
    select ${holder.key}, ${holder.tier}, ${holder.keyId ?? null}, ${counting.network?.key ?? null}, coalesce(f.reserved_on, ${day}),
      ${now.toISOString()}::timestamptz, 'charge', case when f.reservation is null then ${creditsPerFile}::int else 0 end,
      ${creditsPerFile}::int, f.reservation, ${jobId}, f.index, ${operation}, f.name
    from ${from} jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as f(index int, name text, reservation text, reserved_on date)`;
}

async function increase(tx: Transaction, request: ChargeRequest): Promise<Counters> {
  const { holder, counting, credits, reserved = 0, now } = request;
  const counters = await increaseCounter(tx, { holder: holder.key, credits, reserved, allowance: counting, now });
  if (!counters) throw refusal(await readCounter(tx, { holder: holder.key }), request);
  await increaseNetwork(tx, request);
  if (counting.payingKey) await tx.execute(markPayingStatement({ key: counting.payingKey, now }));
  return counters;
}

/** Runs before an entry is inserted, because repairing a counter sums the existing entries. */
async function repairNetwork(
  tx: Transaction,
  { counting: { network }, now }: Pick<ChargeRequest, "counting" | "now">,
): Promise<void> {
  if (network) await currentCounter(tx, { holder: network.key, now });
}

async function increaseNetwork(tx: Transaction, { holder, counting, credits, now }: ChargeRequest): Promise<void> {
  const { network } = counting;
  if (!network || credits === 0) return;
  for (const counter of networkCounters(network)) {
    const allowance = { credits: networkLimit(counter, now), window: "day" } as const;
    if (!(await increaseCounter(tx, { holder: counter.key, credits, allowance, now })))
      throw networkRefusal({ holder, counting, now });
  }
}

/** Whether the credits exceed what an enclosing network of the caller has left today. */
async function isBeyondNetwork(
  db: Queryable,
  { counting, credits, now }: Pick<ChargeRequest, "counting" | "credits" | "now">,
): Promise<boolean> {
  if (!counting.network) return false;
  for (const network of networkCounters(counting.network)) {
    const counter = await currentCounter(db, { holder: network.key, now });
    const wanted = (counter && counter.day >= utcDay(now) ? counter.dayUsed : 0) + credits;
    // Most calls are below the limit of networks that do not pay, and need no second query.
    if (wanted > network.credits && wanted > (await readNetworkLimit(db, network, now))) return true;
  }
  return false;
}

const networkRefusal = ({ holder, counting, now }: Pick<ChargeRequest, "holder" | "counting" | "now">): DomainError =>
  new DomainError("network-allowance", {
    resetsAt: windowEnd("day", now),
    ...(holder.tier === "guest" ? {} : { detail: networkSentence(counting) }),
  });

const networkSentence = ({ mustVerify }: AllowanceRule): string =>
  mustVerify
    ? "Your network has used all its free credits for today. Verify your email to continue."
    : "The free accounts on your network have used all their credits for today. Continue tomorrow, or choose a plan.";

function refusal(counter: Counters | undefined, { holder, counting, credits, now }: ChargeRequest): DomainError {
  const { tier } = holder;
  const { used, limit, window } = usageOf(counter, { counting, tier, day: utcDay(now), month: utcMonth(now) });
  const left = creditsLeft({ used, limit });
  const when = {
    ever: counting.mustVerify ? " before your address is verified" : "",
    month: " this month",
    day: " today",
  }[window];
  const next = counting.mustVerify
    ? `Verify your email to get all ${limits[tier].credits}.`
    : tier === "guest"
      ? "Sign in to continue."
      : "Consider upgrading your plan.";
  const detail =
    left === 0
      ? `You have used all ${limit} credits${tier === "guest" ? " that guests have" : when}. ${next}`
      : `This needs ${credits} credits, and ${left} of ${limit} ${left === 1 ? "is" : "are"} left${when}. ${next}`;
  return new DomainError("out-of-credits", { detail, resetsAt: windowEnd(window, now) });
}
