import type { Blobs } from "../../platform/blobs/blobs.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Ledger } from "../credits/ledger.ts";
import { keptMs } from "./job.ts";
import type { Jobs } from "./jobs.ts";
import type { JobStore } from "./store.ts";

/** As long as an Idempotency-Key is kept, since that leads to the job. */
const rowKeptMs = 24 * 3_600_000;

export type Sweeping = { jobs: Jobs; store: JobStore; blobs: Blobs; ledger: Ledger; clock: Clock };

/** Clears away what is due: results nobody fetched, lapsed reservations, old rows, and what dead servers left. */
export async function sweep({ jobs, store, ledger, clock }: Sweeping): Promise<void> {
  const now = clock.now().getTime();
  await store.renewLeases(new Date(now));
  await jobs.recover();
  for (const record of await store.expired(new Date(now - keptMs))) await jobs.remove(record);
  await store.forget(new Date(now - rowKeptMs));
  await ledger.lapseAll();
}

/**
 * Pictures of a process that died before their job had a row, or after it ended: they belong to nobody. To be called
 * before requests are taken, when whatever is being uploaded now cannot be mistaken for them.
 */
export async function removeStrays({ jobs, store, blobs }: Pick<Sweeping, "jobs" | "store" | "blobs">): Promise<void> {
  for (const id of await blobs.jobs()) {
    const record = await store.find(id);
    if (!record || (record.removedAt && !jobs.live(id))) await blobs.remove(id);
  }
}
