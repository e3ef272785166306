import { DomainError } from "@tintype/contract";
import type { Progress } from "@tintype/imaging";
import type { Cache } from "./cache.ts";
import { refuseCache } from "./cache-fault.ts";
import { type PendingBatch, pendingKeyOf } from "./pending.ts";
import type { BatchEnd, BatchEnds } from "./send-batch.ts";
import type { Picture, Worked, Working } from "./worked.ts";

/** Pictures that are gathered for one call of a server. */
export type Batch = {
  /**
   * Works on the picture, with others once `send` is called. `onJoin` is told when the picture waits: for the batch, or for other
   * work. `alone` runs what is not done in the batch.
   */
  workOn(
    picture: Picture,
    working: Working & { onJoin(): void; alone(act: () => Promise<Worked>): Promise<Worked> },
  ): Promise<Worked>;
  /** Sends what was gathered. It never rejects: each picture has its own end. */
  send(): Promise<void>;
};

type Gathering = {
  cache: Cache;
  signal: AbortSignal;
  once(picture: Picture, begin: (key: string) => Promise<Worked>, onJoin: () => void): Promise<Worked>;
  findReady(key: string): Promise<Worked | undefined>;
  isReady(key: string): Promise<boolean>;
  runAlone(key: string, picture: Picture, working: Working): Promise<Worked>;
  sendBatch(batch: PendingBatch, working: Working): Promise<BatchEnds>;
};

type Gathered = {
  key: string;
  picture: Picture;
  progress: Working["progress"];
  resolve(end: BatchEnd): void;
  reject(problem: unknown): void;
};

export function gatherBatch({ cache, signal, once, findReady, isReady, runAlone, sendBatch }: Gathering): Batch {
  const gathered: Gathered[] = [];
  const join = (key: string, picture: Picture, progress: Working["progress"]) =>
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
          // What is pending goes under the Idempotency-Key that it has. What is not may have ended since it was looked for.
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
      // The API answers one file with a picture, and without a report.
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
