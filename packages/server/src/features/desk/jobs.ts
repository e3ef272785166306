import { type DeskJobState, DomainError, type FoundJob } from "@tintype/contract";
import { accountIdsOf } from "../accounts/people.ts";
import { listJobsIn } from "../jobs/overview.ts";
import { type Acting, type Acts, note, refuseAbove } from "./acts.ts";
import type { Looking } from "./people.ts";

type Page = { state: DeskJobState; code: string | undefined; before: string | undefined; size: number };

/** Jobs of all callers, newest first; `next` is the next page's cursor. @throws invalid-request */
export async function listJobs(
  { db, builtInIssuer }: Looking,
  { state, code, before, size }: Page,
): Promise<{ jobs: FoundJob[]; next: string | null }> {
  if (before !== undefined && !/^job_[0-9a-z]{1,40}$/.test(before))
    throw new DomainError("invalid-request", {
      field: "before",
      detail: "before: take the `next` of an earlier answer.",
    });
  const rows = await listJobsIn(db, { state, code, after: before, most: size + 1 });
  const shown = rows.slice(0, size);
  const accounts = await accountIdsOf(
    db,
    shown.map(({ owner }) => owner),
    builtInIssuer,
  );
  return {
    jobs: shown.map(({ owner, ...job }) => ({ ...job, account_id: accounts.get(owner) ?? null })),
    next: rows.length > size ? (shown.at(-1)?.id ?? null) : null,
  };
}

/**
 * Ends an unfinished job as if its owner had cancelled it: files without a result are refunded.
 * @throws not-found; conflict when it has ended, or its owner has a higher role at the desk
 */
export const endJob = (use: Acts, acting: Acting, id: string): Promise<void> =>
  use.jobs.end(id, async (tx, { owner, state }) => {
    const account = (await accountIdsOf(tx, [owner], use.builtInIssuer)).get(owner);
    if (account) await refuseAbove(tx, acting, account);
    await note(tx, use, acting, {
      action: "job-ended",
      subject: id,
      before: { state },
      after: { state: "cancelled", account: account ?? "guest" },
    });
  });
