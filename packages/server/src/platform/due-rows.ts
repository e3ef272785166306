import type { FastifyBaseLogger } from "fastify";

/** A polled outbox: rows that are due, each for the first process that reserves it. */
export type DueRows = {
  /** Processes what is due now, and waits for it. */
  runDue(): Promise<void>;
  /** Reserves no further row, and waits for those under way. */
  close(): Promise<void>;
};

type DueRowsOptions<Row> = {
  /** Reserves one row that is due for this process, of none of these owners; undefined where there is none. */
  take(busy: readonly string[]): Promise<Row | undefined>;
  ownerOf(row: Row): string;
  attempt(row: Row): Promise<void>;
  log: Pick<FastifyBaseLogger, "error">;
  /** For the log, such as "a webhook". */
  what: string;
};

const lookEveryMs = 1_000;
/** A slow row does not delay the others, and neither does one owner with many rows. */
const mostAtATime = 32;
const mostOfOne = 2;

export function createDueRows<Row>({ take, ownerOf, attempt, log, what }: DueRowsOptions<Row>): DueRows {
  let isClosed = false;
  const inHand = new Map<Promise<void>, string>();
  const busyOwners = () =>
    [...Map.groupBy(inHand.values(), (owner) => owner)].flatMap(([owner, rows]) =>
      rows.length >= mostOfOne ? [owner] : [],
    );
  /** Begins as many as may run at a time. Answers whether none is left. */
  const fill = async (): Promise<boolean> => {
    while (!isClosed && inHand.size < mostAtATime) {
      const busy = busyOwners();
      const row = await take(busy);
      if (row === undefined) return busy.length === 0;
      const one = attempt(row)
        .catch((problem: unknown) => log.error({ err: problem }, `${what} could not be settled`))
        .finally(() => {
          inHand.delete(one);
          look();
        });
      inHand.set(one, ownerOf(row));
    }
    return isClosed;
  };
  let filling = Promise.resolve(true);
  let next: Promise<boolean> | undefined;
  /** One at a time: two rounds would each find a free slot for the same owner. Calls meanwhile share the next round. */
  const startDue = (): Promise<boolean> => {
    next ??= filling
      .catch(() => false)
      .then(() => {
        next = undefined;
        filling = fill();
        return filling;
      });
    return next;
  };
  const look = () =>
    void startDue().catch((problem: unknown) => log.error({ err: problem }, `${what} could not be looked up`));
  const timer = setInterval(look, lookEveryMs);
  return {
    async runDue() {
      while (!(await startDue())) await Promise.all(inHand.keys());
      await Promise.all(inHand.keys());
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      await startDue().catch(() => false);
      await Promise.all(inHand.keys());
    },
  };
}
