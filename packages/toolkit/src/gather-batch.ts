import { DomainError } from "@tintype/contract";
import type { Progress } from "@tintype/imaging";
import type { Cache } from "./cache.ts";
import { refuseCache } from "./cache-fault.ts";
import { type PendingBatch, pendingKeyOf } from "./pending.ts";
import type { Picture, ProcessResult, WorkOptions } from "./process-result.ts";
import type { BatchEnd, BatchEnds } from "./send-batch.ts";

/** Collects pictures for one call to a server. */
export type Batch = {
  /**
   * Processes the picture, together with others once `send` is called. `onJoin` is called when the picture starts to
   * wait, for the batch or for other work. `alone` processes pictures that the batch did not.
   */
  workOn(
    picture: Picture,
    working: WorkOptions & { onJoin(): void; alone(act: () => Promise<ProcessResult>): Promise<ProcessResult> },
  ): Promise<ProcessResult>;
  /** Sends the collected pictures. It never rejects: each picture has its own outcome. */
  send(): Promise<void>;
};

type GatherOptions = {
  cache: Cache;
  signal: AbortSignal;
  once(picture: Picture, begin: (key: string) => Promise<ProcessResult>, onJoin: () => void): Promise<ProcessResult>;
  findReady(key: string): Promise<ProcessResult | undefined>;
  isReady(key: string): Promise<boolean>;
  runAlone(key: string, picture: Picture, working: WorkOptions): Promise<ProcessResult>;
  sendBatch(batch: PendingBatch, working: WorkOptions): Promise<BatchEnds>;
};

type Gathered = {
  key: string;
  picture: Picture;
  progress: WorkOptions["progress"];
  resolve(end: BatchEnd): void;
  reject(problem: unknown): void;
};

export function gatherBatch({ cache, signal, once, findReady, isReady, runAlone, sendBatch }: GatherOptions): Batch {
  const gathered: Gathered[] = [];
  const join = (key: string, picture: Picture, progress: WorkOptions["progress"]) =>
    new Promise<BatchEnd>((resolve, reject) => gathered.push({ key, picture, progress, resolve, reject }));
  const settle = (ends: BatchEnds) => {
    for (const { key, picture, resolve } of gathered) resolve(ends.get(pendingKeyOf(key, picture.name)) ?? "alone");
  };
  const progress = (one: Progress) => {
    for (const each of gathered) each.progress?.(one);
  };
  return {
    workOn: (picture, { onJoin, alone, ...working }) =>
      once(
        picture,
        async (key) => {
          const pending = await cache.findPending(pendingKeyOf(key, picture.name), new Date()).catch(refuseCache);
          // Pending work is sent under its existing Idempotency-Key. Other work may have finished since the lookup.
          const ready = pending ? undefined : await findReady(key);
          if (ready) return ready;
          const joined = pending ? "alone" : join(key, picture, working.progress);
          onJoin();
          const end = await joined;
          if (end instanceof DomainError) throw end;
          return end === "alone" ? alone(() => runAlone(key, picture, working)) : end;
        },
        onJoin,
      ),
    async send() {
      // The API answers a single file with a picture, without a report.
      if (gathered.length < 2) return settle(new Map());
      const candidates = gathered.map(({ key, picture: { name, bytes } }) => {
        return { key: pendingKeyOf(key, name), entry: key, name, bytes };
      });
      try {
        signal.throwIfAborted();
        const known = { isDone: isReady, clock: () => new Date() };
        const batch = await cache.beginBatch(candidates, known).catch(refuseCache);
        settle(batch ? await sendBatch(batch, { signal, progress }) : new Map());
      } catch (problem) {
        for (const { reject } of gathered) reject(problem);
      }
    },
  };
}
