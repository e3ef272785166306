import { DomainError } from "@tintype/contract";
import { type SQL, sql } from "drizzle-orm";
import type { FastifyBaseLogger } from "fastify";
import type { Clock } from "./clock.ts";
import { type Database, rowsOf } from "./db/database.ts";
import { inTurn } from "./repeat.ts";
import { delayAfter, type RetryPolicy } from "./retry-policy.ts";

/** Sends due rows of a table. The first process to reserve a row sends it, and failures are retried. */
export type Outbox = {
  /** Sends what is due now, and waits for it. */
  sendDue(): Promise<void>;
  /** Reserves no further row, and waits for those in progress. */
  close(): Promise<void>;
};

/** A row's state after an attempt. */
export type Settlement = { lastProblem: string | null } & (
  | { state: "sent" | "failed"; dueAt: null }
  | { state: "waiting"; dueAt: Date }
);

/** Rows that wait, including for retries, and for how long the oldest due one has been due. */
export type Backlog = { waiting: number; overdueSeconds: number };

/** Counts the rows of a `from ... where ...` that wait with a `due_at`. An index must serve it: it runs every few seconds. */
export async function measureBacklog(db: Database, { rows, now }: { rows: SQL; now: Date }): Promise<Backlog> {
  const [row] = await rowsOf<{ waiting: number; overdue: number }>(
    db.execute(sql`
      select count(*)::int as waiting,
        greatest(0, coalesce(extract(epoch from ${now.toISOString()}::timestamptz - min(due_at)), 0))::float8 as overdue
      ${rows}`),
  );
  return { waiting: row?.waiting ?? 0, overdueSeconds: row?.overdue ?? 0 };
}

type OutboxOptions<Row extends { tries: number }> = {
  /**
   * Reserves one due row of none of these owners, and counts the attempt; undefined if there is none. The reservation
   * expires, so that another process sends the rows of a dead one.
   */
  reserve(busy: readonly string[]): Promise<Row | undefined>;
  ownerOf(row: Row): string;
  /** `refused`: why retrying makes no sense. @throws anything that justifies a retry */
  send(row: Row): Promise<"sent" | { refused: string }>;
  settle(row: Row, settlement: Settlement): Promise<unknown>;
  retries: RetryPolicy;
  /** Rows sent concurrently. Default: 32. */
  concurrency?: number;
  clock: Clock;
  log: Pick<FastifyBaseLogger, "info" | "warn" | "error">;
  /** For the log: "a webhook", and its ids. */
  what: string;
  describe(row: Row): Record<string, string>;
};

const pollIntervalMs = 1_000;
/** A slow row does not delay the others, and neither does one owner with many rows. */
const defaultConcurrency = 32;
const maxPerOwner = 2;

const maxProblemLength = 300;
/** How much text is searched for addresses: on an endless line the search would take minutes. */
const maxReadLength = 2000;
/** The first line of an error, for the operator. A mail server's response may name the recipient, which is removed. */
function problemText(problem: unknown): string {
  const line = (problem instanceof Error ? problem.message : String(problem)).trim().split("\n", 1)[0] ?? "";
  return (line || "unknown")
    .slice(0, maxReadLength)
    .replace(/[^\s<>"',;:]+@[^\s<>"',;:]+/g, "(address)")
    .slice(0, maxProblemLength);
}

export function createOutbox<Row extends { tries: number }>(options: OutboxOptions<Row>): Outbox {
  const {
    reserve,
    ownerOf,
    send,
    settle,
    retries,
    clock,
    log,
    what,
    describe,
    concurrency = defaultConcurrency,
  } = options;

  const attempt = async (row: Row): Promise<void> => {
    const response = await send(row).catch((problem: unknown) => ({ problem }));
    if (response === "sent") {
      await settle(row, { state: "sent", dueAt: null, lastProblem: null });
      log.info({ ...describe(row), tries: row.tries }, `${what} was sent`);
      return;
    }
    if ("refused" in response)
      return void (await settle(row, { state: "failed", dueAt: null, lastProblem: response.refused }));
    const { problem } = response;
    const delayMs = delayAfter(retries, row.tries);
    const isGivenUp = delayMs === undefined;
    const err = problem instanceof DomainError ? (problem.cause ?? problem) : problem;
    log[isGivenUp ? "error" : "warn"](
      { ...describe(row), tries: row.tries, isGivenUp, err },
      `${what} could not be sent`,
    );
    const lastProblem = problemText(err);
    await settle(
      row,
      isGivenUp
        ? { state: "failed", dueAt: null, lastProblem }
        : { state: "waiting", dueAt: new Date(clock.now().getTime() + delayMs), lastProblem },
    );
  };
  let isClosed = false;
  const inFlight = new Map<Promise<void>, string>();
  const busyOwners = () =>
    [...Map.groupBy(inFlight.values(), (owner) => owner)].flatMap(([owner, rows]) =>
      rows.length >= maxPerOwner ? [owner] : [],
    );
  /** Starts as many as may run concurrently. Returns whether none is left. */
  const fill = async (): Promise<boolean> => {
    while (!isClosed && inFlight.size < concurrency) {
      const busy = busyOwners();
      const row = await reserve(busy);
      if (row === undefined) return busy.length === 0;
      const one = attempt(row)
        .catch((problem: unknown) => log.error({ err: problem }, `${what} could not be settled`))
        .finally(() => {
          inFlight.delete(one);
          poll();
        });
      inFlight.set(one, ownerOf(row));
    }
    return isClosed;
  };
  /** Serialised: two rounds would each find a free slot for the same owner. */
  const startDue = inTurn(fill);
  const poll = () =>
    void startDue().catch((problem: unknown) => log.error({ err: problem }, `${what} could not be looked up`));
  const timer = setInterval(poll, pollIntervalMs);
  return {
    async sendDue() {
      while (!(await startDue())) await Promise.all(inFlight.keys());
      await Promise.all(inFlight.keys());
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      await startDue().catch(() => false);
      await Promise.all(inFlight.keys());
    },
  };
}
