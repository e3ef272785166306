import { costsCredits, DomainError, isFinal, type Job } from "@tintype/contract";
import type { JobList } from "@tintype/contract/schemas";
import { type Caller, ownersOf } from "../../../http/caller.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { Database } from "../../../platform/db/database.ts";
import { pageOf } from "../../../platform/db/page.ts";
import { creditsShown, type Holder, type JobCost, jobCostOf } from "../../credits/allowance.ts";
import type { Ledger } from "../../credits/ledger.ts";
import { type JobRecord, jobView } from "./job.ts";
import { findJob, findJobsOf, positionOf, readJobCursor } from "./store.ts";

/** What callers see of their jobs. */
export type JobQueries = ReturnType<typeof createJobQueries>;

/** How long a job's row is kept after its end. */
const jobRetentionMs = 24 * 3_600_000;

export function createJobQueries({ db, clock, ledger }: { db: Database; clock: Clock; ledger: Ledger }) {
  const credits = async (record: JobRecord, caller: Holder): Promise<JobCost | undefined> => {
    if (!costsCredits(record.operation)) return undefined;
    const { owner, charged, tier } = record;
    // A job started as a guest stays the guest's after a sign-in.
    return jobCostOf(charged, await ledger.usage(owner === caller.key ? caller : { key: owner, tier }));
  };
  return {
    /** The job, if it belongs to one of these owners. @throws not-found for someone else's job as for one that does not exist */
    async find(id: string, owners: readonly string[]): Promise<JobRecord> {
      const record = await findJob(db, id);
      if (!record || !owners.includes(record.owner)) throw new DomainError("not-found");
      return record;
    },
    /**
     * The owner's jobs of the last day, newest first. `next` is the cursor of the following, older ones.
     * @throws invalid-request
     */
    async list(caller: Caller, { before, size }: { before?: string | undefined; size: number }): Promise<JobList> {
      const since = new Date(clock.now().getTime() - jobRetentionMs);
      const after = readJobCursor(before);
      const records = await findJobsOf(db, { owners: ownersOf(caller), since, before: after, limit: size + 1 });
      const { shown, next } = pageOf(records, { size, cursorOf: ({ id }) => id });
      return { jobs: shown.map((record) => jobView(record)), next };
    },
    /** The job as its owner sees it, with its cost and the credits left now. */
    async view(record: JobRecord, caller: Holder): Promise<Job> {
      const position = isFinal(record.state) ? undefined : await positionOf(db, record);
      const cost = await credits(record, caller);
      const shown = cost && creditsShown(cost);
      return jobView(record, {
        ...(shown ? { credits: shown } : {}),
        ...(position === undefined ? {} : { position }),
      });
    },
    credits,
  };
}
