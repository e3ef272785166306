import { EventEmitter } from "node:events";
import { isFinal, type JobState } from "@tintype/contract";
import { sql } from "drizzle-orm";
import type { FastifyBaseLogger } from "fastify";
import type { Bus } from "../../../platform/bus/bus.ts";
import { type Database, rowsOf } from "../../../platform/db/database.ts";
import { type JobMessage, subscribeToJob } from "./messages.ts";
import { textArray } from "./store.ts";

/** `refresh`: read the row again, since messages can be lost. `closed`: this process is stopping. */
export type Notice = JobMessage | { kind: "refresh" } | { kind: "closed" };

/** Follows jobs, whichever process works on them. */
export type JobWatch = {
  /** Subscribes to a job's changes from now on. Returns a function that unsubscribes. */
  watch(jobId: string, receive: (notice: Notice) => void): Promise<() => void>;
  /** Starts watching. `ended` resolves once the job's row says that it has ended. */
  awaitEnd(jobId: string): Promise<{ ended: Promise<void>; stop(): void }>;
  close(): void;
};

/** How often rows are polled, ms. */
const pollIntervalMs = 1_500;

export function createJobWatch({
  db,
  bus,
  log,
}: {
  db: Database;
  bus: Bus;
  log: Pick<FastifyBaseLogger, "warn">;
}): JobWatch {
  const listeners = new EventEmitter<Record<string, [Notice]>>().setMaxListeners(0);
  let timer: NodeJS.Timeout | undefined;
  let isPolling = false;

  const watched = () => listeners.eventNames().map(String);

  /** Polls all watched jobs in one statement. A job without a row was deleted with its account. */
  const poll = async () => {
    if (isPolling) return;
    isPolling = true;
    // A job watched since the query is missing from its result, but not deleted.
    const watchedIds = watched();
    try {
      const rows = await rowsOf<{ id: string; state: JobState; version: number }>(
        db.execute(sql`select id, state, version from jobs where id = any(${textArray(watchedIds)})`),
      );
      const open = new Map(rows.filter(({ state }) => !isFinal(state)).map((row) => [row.id, row]));
      const versions = new Map(rows.map(({ id, version }) => [id, version]));
      for (const id of watchedIds) {
        const notice: Notice = open.has(id)
          ? { kind: "refresh" }
          : { kind: "row", version: versions.get(id) ?? 0, isFinal: true };
        listeners.emit(id, notice);
      }
    } catch (problem) {
      log.warn({ err: problem }, "cannot read the watched jobs");
    } finally {
      isPolling = false;
    }
  };

  const watch: JobWatch["watch"] = async (jobId, receive) => {
    listeners.on(jobId, receive);
    timer ??= setInterval(() => void poll(), pollIntervalMs);
    const unsubscribe = await subscribeToJob(bus, jobId, receive).catch((problem: unknown) => {
      log.warn({ err: problem }, "cannot subscribe to a job; its row is polled instead");
      return () => {};
    });
    return () => {
      unsubscribe();
      listeners.off(jobId, receive);
      if (watched().length > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  };
  return {
    watch,
    async awaitEnd(jobId) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const stop = await watch(jobId, (notice) => {
        if (notice.kind === "closed" || (notice.kind === "row" && notice.isFinal)) resolve();
      });
      return { ended: promise.finally(stop), stop };
    },
    close() {
      clearInterval(timer);
      for (const id of watched()) listeners.emit(id, { kind: "closed" });
      listeners.removeAllListeners();
    },
  };
}
