import { DomainError } from "@tintype/contract";
import { type SQL, sql } from "drizzle-orm";
import { isInNetwork, networksAround } from "../../../platform/network.ts";

/** Limits on files that wait or are in work. */
export type PlaceBounds = {
  /** Across all callers. */
  queueFiles: number;
  /** Per caller. */
  callerFiles: number;
  /** For all guests and free tasks of one network. */
  networkFiles: number;
};

/** Guests and free tasks of a network share one queue: a new guest cookie costs nothing. */
export type JobQueue = { key: string; isShared: boolean };

export type PlaceRequest = {
  queue: JobQueue;
  /** A keyed hash; null for callers with a paid plan, who share no places with their network. */
  network: string | null;
  files: number;
};

/** `queue-full`: too many files of the caller; `network-full`: of their network. */
export type PlaceRefusal = "full" | "queue-full" | "network-full";

/** The share of all places that callers without a paid plan may take together. The rest is reserved for paid plans. */
const freeShare = 3 / 4;

/**
 * SQL expression: a `PlaceRefusal`, or null if there are places for these files. Callers without a paid plan also share places
 * by network, with a dynamic threshold (Choudhury and Hahne, IEEE/ACM Transactions on Networking 6(2), 1998): a network never
 * holds more than it leaves free, so that however many networks fill the queue, there is a place for the next one.
 */
export function placeRefusal(
  { queueFiles, callerFiles, networkFiles }: PlaceBounds,
  { queue, network, files }: PlaceRequest,
): SQL<PlaceRefusal | null> {
  const more = sql`${files}::int`;
  const count = (which: SQL) => sql`count(*) filter (where ${which})`;
  const refusals: SQL[] = [sql`when count(*) + ${more} > ${queueFiles}::int then 'full'`];
  if (queue.isShared)
    for (const { key, share } of networksAround(queue.key))
      refusals.push(
        sql`when ${count(isInNetwork(sql`f.queue_key`, sql`${key}::text`))} + ${more} > ${share * networkFiles}::int then 'network-full'`,
      );
  else
    refusals.push(
      sql`when ${count(sql`f.queue_key = ${queue.key}`)} + ${more} > ${callerFiles}::int then 'queue-full'`,
    );
  if (network !== null) {
    const freeLeft = sql`${Math.ceil(queueFiles * freeShare)}::int - ${count(sql`f.network is not null`)} - ${more}`;
    refusals.push(sql`when ${freeLeft} < 0 then 'full'`);
    for (const { key } of networksAround(network)) {
      const held = count(isInNetwork(sql`f.network`, sql`${key}::text`));
      refusals.push(sql`when ${held} > 0 and ${held} + ${more} > ${freeLeft} then 'network-full'`);
    }
  }
  return sql`(select case ${sql.join(refusals, sql` `)} end from job_files f where f.state in ('waiting', 'working'))`;
}

export const queueFull = () => new DomainError("full", { retryAfterSeconds: 5 });

export const placeRefused = (refusal: PlaceRefusal): DomainError =>
  refusal === "full"
    ? queueFull()
    : new DomainError("too-many-requests", {
        detail:
          refusal === "network-full"
            ? "Too many images from your network are waiting. Please wait until some are done."
            : "Too many of your images are waiting. Please wait until some are done.",
        retryAfterSeconds: 5,
      });
