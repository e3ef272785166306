import { DomainError, limits, type OperationName } from "@tintype/contract";
import { type SQL, sql } from "drizzle-orm";
import { type Clock, utcDay, utcMonth } from "../../platform/clock.ts";
import { type Database, type Queryable, rowsOf, type Transaction } from "../../platform/db/database.ts";
import { newId } from "../../platform/id.ts";
import { shareAccount } from "../accounts/accounts.ts";
import {
  type AllowanceRule,
  allowanceLeft,
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
import { type GrantedCredits, grantsColumn, insertGrant, returnGranted, sumOf, takeGranted } from "./grants.ts";
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

/** The reason in the line of a file that cost nothing: it continued a result that was charged. */
const continued = "continued";

/** `isFast`: the job's files are within the daily fast-lane allowance. */
export type Charged = { usage: Usage; isFast: boolean };

/** The usage before and after an adjustment. */
export type Adjustment = { before: Usage; after: Usage };

/** When granted credits end: with the holder's window, at a moment, or never (null). */
export type GrantEnd = "window" | Date | null;

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
  /** Writes down files that cost nothing because they continue a result that was charged: a line of 0 credits each. */
  noteContinued(tx: Transaction, holder: Holder, run: Pick<Charge, "jobId" | "operation" | "files">): Promise<void>;
  /**
   * Reserves credits for the holder's next operations.
   * @throws out-of-credits, network-allowance; then nothing was reserved
   */
  reserve(tx: Transaction, holder: Holder, credits: number): Promise<Usage>;
  /** Refunds these files of a job. Idempotent: each at most once. Returns the number of credits. */
  refund(tx: Queryable, back: { jobId: string; files: readonly { index: number; reason: string }[] }): Promise<number>;
  /**
   * Grants credits until `end`, or deducts them if `credits` is negative: granted ones first, then those of the window.
   * @throws conflict when more are deducted than are left; unauthorized when the account is gone
   */
  adjust(
    tx: Transaction,
    holder: Holder,
    adjustment: { credits: number; reason: string; end?: GrantEnd },
  ): Promise<Adjustment>;
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
    return readCounter(db, { holder: key, now });
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

    async noteContinued(tx, holder, run) {
      await assertAccount(tx, holder);
      const now = clock.now();
      // Nothing is counted, for the network neither.
      const { network: _, ...counting } = countingOf(holder, rules);
      const request = { holder, counting, now, credits: 0 };
      const day = sql`${utcDay(now)}::date`;
      await tx.execute(entriesStatement(request, { ...run, creditsPerFile: 0 }, { day, reason: continued }));
    },

    async reserve(tx, holder, credits) {
      await assertAccount(tx, holder);
      const now = clock.now();
      const dependencies = { holder, counting: countingOf(holder, rules), now };
      const network = dependencies.counting.network?.key ?? null;
      await repairNetwork(tx, dependencies);
      await settleReservations(tx, { holder: holder.key, now });
      const { counters, granted } = await increase(tx, { ...dependencies, credits, reserved: credits });
      const reserved = { holder: holder.key, network, day: counters.day, now };
      const ofAllowance = credits - sumOf(granted);
      if (ofAllowance > 0) await insertReservation(tx, { ...reserved, credits: ofAllowance, grantId: null });
      for (const [grantId, taken] of Object.entries(granted))
        await insertReservation(tx, { ...reserved, credits: taken, grantId });
      return usageNow(counters, holder, now);
    },

    refund: (tx, back) => refundFiles(tx, { ...back, now: clock.now() }),

    async adjust(tx, holder, { credits, reason, end = null }) {
      await assertAccount(tx, holder);
      const now = clock.now();
      const { key } = holder;
      await settleReservations(tx, { holder: key, now });
      const counting = countingOf(holder, rules);
      // Locks the holder's row, which a holder of grants always has.
      const counters = await increaseCounter(tx, {
        holder: key,
        credits: 0,
        allowance: { ...counting, credits: null },
        now,
      });
      const before = usageNow(counters, holder, now);
      const left = creditsLeft(before);
      if (left !== null && left + credits < 0)
        throw new DomainError("conflict", {
          detail: `There ${left === 1 ? "is 1 credit" : `are ${left} credits`} left to take.`,
        });
      const endsAt = end === "window" ? (windowEnd(counting.window, now) ?? null) : end;
      const grants =
        credits > 0
          ? await insertGrant(tx, { holder: key, credits, endsAt, now })
          : negated(await takeGranted(tx, { holder: key, credits: -credits, now, newestFirst: true }));
      const given = credits - sumOf(grants);
      const after = await increaseCounter(tx, {
        holder: key,
        credits: 0,
        given,
        allowance: { ...counting, credits: null },
        now,
      });
      await tx.execute(sql`
        insert into credit_entries (holder, day, at, kind, credits, price, given, grants, reason)
        values (${key}, ${after?.day ?? utcDay(now)}::date, ${now.toISOString()}::timestamptz, 'adjust', 0, 0, ${given}::int,
          ${grantsColumn(grants)}, ${reason})`);
      return { before, after: usageNow(after, holder, now) };
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
  reserved: { holder: string; network: string | null; day: string; credits: number; grantId: string | null; now: Date },
): Promise<void> {
  const { holder, network, day, credits, grantId, now } = reserved;
  const id = newId("res");
  const expires = new Date(now.getTime() + reservationLifeMs).toISOString();
  const grants = grantId === null ? {} : { [grantId]: credits };
  await tx.execute(sql`
    insert into reservations (id, holder, network, day, open, grant_id, expires_at)
    values (${id}, ${holder}, ${network}, ${day}::date, ${credits}::int, ${grantId}, ${expires}::timestamptz)`);
  await tx.execute(sql`
    insert into credit_entries (holder, network, day, at, kind, credits, given, grants, reservation_id)
    values (${holder}, ${network}, ${day}::date, ${now.toISOString()}::timestamptz,
      'reserve', ${credits}::int, ${sumOf(grants)}::int, ${grantsColumn(grants)}, ${id})`);
}

const negated = (granted: GrantedCredits): GrantedCredits =>
  Object.fromEntries(Object.entries(granted).map(([id, credits]) => [id, -credits]));

/** Refunds each of these files that was charged and is not refunded yet. */
async function refundFiles(
  tx: Queryable,
  { jobId, files, now }: Parameters<Ledger["refund"]>[1] & { now: Date },
): Promise<number> {
  if (files.length === 0) return 0;
  type Refunded = {
    holder: string;
    network: string | null;
    day: string;
    credits: number;
    given: number;
    grants: GrantedCredits[] | null;
  };
  const refunded = await rowsOf<Refunded>(
    tx.execute(sql`
      with wanted (file_index, reason) as (values ${sql.join(
        files.map(({ index, reason }) => sql`(${index}::int, ${reason}::text)`),
        sql`, `,
      )}), back as (
        insert into credit_entries
          (holder, tier, key_id, network, day, at, kind, credits, price, given, grants, job_id, file_index, operation, file_name,
            reason)
        select e.holder, e.tier, e.key_id, e.network, e.day, ${now.toISOString()}::timestamptz, 'refund', -e.price, e.price,
          -(select coalesce(sum(value::int), 0) from jsonb_each_text(coalesce(e.grants, '{}'))), e.grants, e.job_id, e.file_index, e.operation, e.file_name, w.reason
        from credit_entries e join wanted w on w.file_index = e.file_index
        where e.job_id = ${jobId} and e.kind = 'charge'
        on conflict (job_id, file_index, kind) do nothing
        returning holder, network, day, price, given, grants)
      select holder, network, day::text as day, sum(price)::int as credits, -sum(given)::int as given,
        jsonb_agg(grants) filter (where grants is not null) as grants
      from back group by holder, network, back.day`),
  );
  // Locks holders before networks, as everywhere, to avoid deadlocks.
  for (const { holder, day, credits, given } of refunded) await decreaseCounter(tx, { holder, credits, day, given });
  for (const { grants } of refunded) for (const granted of grants ?? []) await returnGranted(tx, granted);
  for (const { network, day, credits } of refunded) if (network) await decreaseNetwork(tx, { network, credits, day });
  return refunded.reduce((sum, { credits }) => sum + credits, 0);
}

/** The indexes of a job's files that were charged and not refunded. An unchanged file is unchanged again on a repeat. */
export async function chargedFiles(tx: Queryable, jobId: string): Promise<Set<number>> {
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
  const { counters, granted } = await increase(tx, { ...request, credits: credits - spent.length });
  await tx.execute(entriesStatement(request, charge, { day: sql`${counters.day}::date`, spent, granted }));
  return counters;
}

/** An entry per file. Reservations are spent by whole files, because each file's credits must have been reserved on one day. */
function entriesStatement(
  { holder, counting, now }: ChargeRequest,
  { jobId, operation, creditsPerFile = 1, files }: Charge,
  {
    day,
    from = sql``,
    spent = [],
    granted = {},
    reason = null,
  }: {
    day: SQL;
    from?: SQL;
    spent?: readonly SpentReservation[];
    granted?: GrantedCredits;
    reason?: string | null;
  },
): SQL {
  const grantIds = Object.entries(granted).flatMap(([id, credits]) => Array<string>(credits).fill(id));
  // Grants pay the last credits, after the allowance.
  const firstGranted = files.length * creditsPerFile - grantIds.length;
  const rows = files.map(({ index, name }, i) => {
    const start = i * creditsPerFile;
    const reserved = spent[start];
    const ids = grantIds.slice(Math.max(0, start - firstGranted), Math.max(0, start + creditsPerFile - firstGranted));
    const paying = reserved
      ? reserved.grantId === null
        ? []
        : Array<string>(creditsPerFile).fill(reserved.grantId)
      : ids;
    return {
      index,
      name,
      reservation: reserved?.reservationId ?? null,
      reserved_on: reserved?.day ?? null,
      given: reserved ? 0 : ids.length,
      grants: paying.length === 0 ? null : countOf(paying),
    };
  });
  return sql`
    insert into credit_entries
      (holder, tier, key_id, network, day, at, kind, credits, price, given, grants, reservation_id, job_id, file_index, operation,
        file_name, reason)
    select ${holder.key}, ${holder.tier}, ${holder.keyId ?? null}, ${counting.network?.key ?? null}, coalesce(f.reserved_on, ${day}),
      ${now.toISOString()}::timestamptz, 'charge', case when f.reservation is null then ${creditsPerFile}::int else 0 end,
      ${creditsPerFile}::int, f.given, nullif(f.grants, 'null'::jsonb), f.reservation, ${jobId}, f.index, ${operation}, f.name, ${reason}::text
    from ${from} jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as f(index int, name text, reservation text, reserved_on date, given int, grants jsonb)`;
}

const countOf = (ids: readonly string[]): GrantedCredits => {
  const counts: GrantedCredits = {};
  for (const id of ids) counts[id] = (counts[id] ?? 0) + 1;
  return counts;
};

/** The counters after a charge, and what grants paid of it. */
type Taken = { counters: Counters; granted: GrantedCredits };

async function increase(tx: Transaction, request: ChargeRequest): Promise<Taken> {
  const { holder, counting, credits, reserved = 0, now } = request;
  const counters = await increaseCounter(tx, { holder: holder.key, credits, reserved, allowance: counting, now });
  const taken = counters ? { counters, granted: {} } : await increaseWithGrants(tx, request);
  if (!taken) throw refusal(await readCounter(tx, { holder: holder.key, now }), request);
  await increaseNetwork(tx, request);
  if (counting.payingKey) await tx.execute(markPayingStatement({ key: counting.payingKey, now }));
  return taken;
}

/** Charges what is left of the allowance, and the rest to grants, under the lock of the holder's row. Undefined if that is too little. */
async function increaseWithGrants(tx: Transaction, request: ChargeRequest): Promise<Taken | undefined> {
  const { holder, counting, credits, reserved = 0, now } = request;
  const { window } = counting;
  if (counting.credits === null) return undefined;
  const before = await readCounter(tx, { holder: holder.key, now, lock: true });
  if (!before || before.granted === 0) return undefined;
  const left = allowanceLeft(before, { credits: counting.credits, window, day: utcDay(now), month: utcMonth(now) });
  const missing = Math.max(0, credits - left);
  const granted = await takeGranted(tx, { holder: holder.key, credits: missing, now });
  if (sumOf(granted) < missing) {
    await returnGranted(tx, granted);
    return undefined;
  }
  const counters = await increaseCounter(tx, {
    holder: holder.key,
    credits,
    reserved,
    given: missing,
    allowance: { credits: null, window },
    now,
  });
  return counters && { counters, granted };
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
