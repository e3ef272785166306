import { isFinal, type JobState } from "@tintype/contract";
import { sql } from "drizzle-orm";
import type { FastifyBaseLogger } from "fastify";
import type { Bus } from "../../platform/bus/bus.ts";
import { type Database, rowsOf } from "../../platform/db/database.ts";
import { hearJob, type JobMessage } from "./messages.ts";
import { list } from "./store.ts";

/** `look`: it is time to read the row again, since messages can be lost. `closed`: this process stops. */
export type Notice = JobMessage | { kind: "look" } | { kind: "closed" };

/** Hears of jobs that any process works on. */
export type JobWatch = {
  /** Tells what happens to a job from now on. The answer stops it. */
  watch(jobId: string, hear: (notice: Notice) => void): Promise<() => void>;
  /** Begins to watch; the promise in the answer resolves once the job's row says that it has ended. */
  awaitEnd(jobId: string): Promise<{ ended: Promise<void>; stop(): void }>;
  close(): void;
};

/** How often rows are read again, ms. */
const lookEveryMs = 1_500;

export function createJobWatch({
  db,
  bus,
  log,
}: {
  db: Database;
  bus: Bus;
  log: Pick<FastifyBaseLogger, "warn">;
}): JobWatch {
  const listeners = new Map<string, Set<(notice: Notice) => void>>();
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;

  /** One statement for all jobs that somebody here watches. A job without a row was deleted with its account. */
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    // A caller that comes while the rows are read is not among them, and must not be taken for a job that is gone.
    const asked = [...listeners.keys()];
    try {
      const rows = await rowsOf<{ id: string; state: JobState; version: number }>(
        db.execute(sql`select id, state, version from jobs where id = any(${list(asked)})`),
      );
      const open = new Map(rows.filter(({ state }) => !isFinal(state)).map((row) => [row.id, row]));
      const versions = new Map(rows.map(({ id, version }) => [id, version]));
      for (const id of asked) {
        const notice: Notice = open.has(id)
          ? { kind: "look" }
          : { kind: "row", version: versions.get(id) ?? 0, isFinal: true };
        for (const hear of [...(listeners.get(id) ?? [])]) hear(notice);
      }
    } catch (problem) {
      log.warn({ err: problem }, "jobs could not be looked at");
    } finally {
      isLooking = false;
    }
  };

  const watch: JobWatch["watch"] = async (jobId, hear) => {
    const hearers = listeners.get(jobId) ?? new Set();
    listeners.set(jobId, hearers.add(hear));
    timer ??= setInterval(() => void look(), lookEveryMs);
    const leave = await hearJob(bus, jobId, hear).catch((problem: unknown) => {
      log.warn({ err: problem }, "messages of a job cannot be heard; its row is read now and then");
      return () => {};
    });
    return () => {
      leave();
      hearers.delete(hear);
      if (hearers.size === 0 && listeners.get(jobId) === hearers) listeners.delete(jobId);
      if (listeners.size > 0) return;
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
      for (const hearers of listeners.values()) for (const hear of [...hearers]) hear({ kind: "closed" });
      listeners.clear();
    },
  };
}
