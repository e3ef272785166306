import type { DeskJobState, FoundJob } from "@tintype/contract";
import { pageOf } from "../../platform/db/page.ts";
import { accountIdsOf } from "../accounts/people.ts";
import { listJobsIn } from "../jobs/record/overview.ts";
import { readJobCursor } from "../jobs/record/store.ts";
import { type DeskDependencies, note, type OperatorCall, refuseAbove } from "./actions.ts";
import type { DeskReadDependencies } from "./people.ts";

type Page = { state: DeskJobState; code: string | undefined; before: string | undefined; size: number };

/** Jobs of all callers, newest first; `next` is the next page's cursor. @throws invalid-request */
export async function listJobs(
  { db, builtInIssuer }: DeskReadDependencies,
  { state, code, before, size }: Page,
): Promise<{ jobs: FoundJob[]; next: string | null }> {
  const rows = await listJobsIn(db, { state, code, after: readJobCursor(before), limit: size + 1 });
  const { shown, next } = pageOf(rows, { size, cursorOf: ({ id }) => id });
  const accounts = await accountIdsOf(
    db,
    shown.map(({ owner }) => owner),
    builtInIssuer,
  );
  return {
    jobs: shown.map(({ owner, ...job }) => ({ ...job, account_id: accounts.get(owner) ?? null })),
    next,
  };
}

/**
 * Ends an unfinished job as if its owner had cancelled it: files without a result are refunded.
 * @throws not-found; conflict when it has ended, or its owner has a higher role at the desk
 */
export const endJob = (dependencies: DeskDependencies, call: OperatorCall, id: string): Promise<void> =>
  dependencies.jobs.end(id, async (tx, { owner, state }) => {
    const account = (await accountIdsOf(tx, [owner], dependencies.builtInIssuer)).get(owner);
    if (account) await refuseAbove(tx, call, account);
    await note(tx, dependencies, call, {
      action: "job-ended",
      subject: id,
      before: { state },
      after: { state: "cancelled", account: account ?? "guest" },
    });
  });
