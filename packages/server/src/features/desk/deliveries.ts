import { type DeliveryKind, type DeskDelivery, DomainError } from "@tintype/contract";
import { pageOf, readCursor, readPlace, writePlace } from "../../platform/db/page.ts";
import { listFailingMails, retryMail } from "../../platform/mail-outbox.ts";
import { accountIdsOf } from "../accounts/people.ts";
import { listFailingOutputs } from "../jobs/deliver/output-rows.ts";
import { listFailingDeliveries, retryFailedDelivery } from "../webhooks/deliveries.ts";
import { type DeskDependencies, note, type OperatorCall } from "./actions.ts";
import type { DeskReadDependencies } from "./people.ts";

type Page = { kind: DeliveryKind; state: "waiting" | "failed"; before: string | undefined; size: number };
/** A row of one of the three tables. `place`: the cursor of the page after it. */
type Row = Omit<DeskDelivery, "account_id"> & { owner: string | null; place: string };

/**
 * Deliveries that were given up, or that failed and will be retried; newest first. `next` is the next page's cursor.
 * @throws invalid-request
 */
export async function listDeliveries(
  dependencies: DeskReadDependencies,
  { kind, size, ...page }: Page,
): Promise<{ deliveries: DeskDelivery[]; next: string | null }> {
  const rows = await rowsBy[kind](dependencies, { ...page, limit: size + 1 });
  const { shown, next } = pageOf(rows, { size, cursorOf: ({ place }) => place });
  const accounts = await accountIdsOf(
    dependencies.db,
    shown.map(({ owner }) => owner),
    dependencies.builtInIssuer,
  );
  return {
    deliveries: shown.map(({ owner, place: _, ...row }) => ({ ...row, account_id: accounts.get(owner ?? "") ?? null })),
    next,
  };
}

type RowsRequest = Omit<Page, "kind" | "size"> & { limit: number };

const rowsBy: Record<DeliveryKind, (dependencies: DeskReadDependencies, wanted: RowsRequest) => Promise<Row[]>> = {
  async mail({ db }, { state, before, limit }) {
    return (await listFailingMails(db, { state, after: readPlace(before), limit })).map((mail) => ({
      id: mail.key,
      what: mail.kind,
      owner: mail.owner,
      job_id: null,
      state,
      tries: mail.tries,
      problem: mail.lastProblem,
      at: mail.createdAt.toISOString(),
      next_attempt_at: mail.dueAt?.toISOString() ?? null,
      can_retry: mail.canRetry,
      place: writePlace({ at: mail.createdAt, id: mail.key }),
    }));
  },
  async webhook({ db }, { state, before, limit }) {
    return (await listFailingDeliveries(db, { state, after: readCursor(before, idForm), limit })).map((row) => ({
      id: row.id,
      what: hostOf(row.url),
      owner: row.accountId,
      job_id: row.jobId,
      state,
      tries: row.tries,
      problem: row.lastProblem,
      at: row.createdAt.toISOString(),
      next_attempt_at: row.dueAt?.toISOString() ?? null,
      can_retry: state === "failed",
      place: row.id,
    }));
  },
  async output({ db }, { state, before, limit }) {
    return (await listFailingOutputs(db, { state, after: readCursor(before, idForm), limit })).map((row) => ({
      id: row.jobId,
      what: hostOf(row.url),
      owner: row.owner,
      job_id: row.jobId,
      state,
      tries: row.tries,
      problem: row.lastProblem,
      at: null,
      next_attempt_at: row.dueAt?.toISOString() ?? null,
      // Its address is deleted once it is given up, and the result itself a few minutes later.
      can_retry: false,
      place: row.jobId,
    }));
  },
};

/** The rest of an address may contain a secret. */
const hostOf = (url: string): string => URL.parse(url)?.host ?? "address forgotten";

const idForm = /^(?:job|msg)_[0-9a-z]{1,40}$/;

/**
 * Makes a given-up mail or webhook due now, with all of its attempts restored.
 * @throws not-found; conflict when it was not given up, or can no longer be sent
 */
export async function retryDelivery(
  dependencies: DeskDependencies,
  call: OperatorCall,
  { kind, id }: { kind: DeliveryKind; id: string },
): Promise<void> {
  if (kind === "output")
    throw new DomainError("conflict", {
      detail: "The address of a result is forgotten once it is given up. The person can fetch the result themselves.",
    });
  const now = dependencies.clock.now();
  await dependencies.db.transaction(async (tx) => {
    const before = kind === "mail" ? await retryMail(tx, id, now) : await retryFailedDelivery(tx, { id, now });
    if (!before)
      throw new DomainError("conflict", { detail: "This mail was not given up, or its text is deleted already." });
    await note(tx, dependencies, call, {
      action: "delivery-retried",
      subject: id,
      before: { kind, state: "failed", tries: before.tries },
      after: { state: "waiting" },
    });
  });
}
