import { DomainError, type WebhookDeliveries, type WebhookDelivery } from "@tintype/contract";
import { and, desc, eq, isNotNull, lt, ne } from "drizzle-orm";
import type { Database, Queryable, Transaction } from "../../platform/db/database.ts";
import { pageOf, readCursor } from "../../platform/db/page.ts";
import type { Endpoints } from "./endpoints.ts";
import { webhookDeliveries, webhookEndpoints } from "./tables.ts";

/** An account's deliveries, newest first. A job's are deleted with its row, a day after its end. @throws invalid-request */
export async function listDeliveries(
  { db }: Endpoints,
  accountId: string,
  { before, size }: { before?: string | undefined; size: number },
): Promise<WebhookDeliveries> {
  const after = readCursor(before, /^msg_[0-9a-z]{1,40}$/);
  const rows = await db
    .select({ delivery: webhookDeliveries, standing: webhookEndpoints.url })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .where(
      and(
        eq(webhookDeliveries.accountId, accountId),
        after === undefined ? undefined : lt(webhookDeliveries.id, after),
      ),
    )
    .orderBy(desc(webhookDeliveries.id))
    .limit(size + 1);
  const { shown, next } = pageOf(rows, { size, cursorOf: ({ delivery }) => delivery.id });
  return { deliveries: shown.map(({ delivery, standing }) => viewOf(delivery, standing !== null)), next };
}

/** Sends a delivery again, starting over with the first attempt. @throws not-found, conflict */
export async function replayDelivery(
  { db, clock }: Endpoints,
  accountId: string,
  id: string,
): Promise<WebhookDelivery> {
  const { row, endpoint } = await sendAgain(db, { id, accountId, now: clock.now() });
  return viewOf(row, endpoint.url !== null);
}

/** The same for operators, for a delivery that was given up. @throws not-found, conflict */
export async function retryFailedDelivery(
  tx: Transaction,
  { id, now }: { id: string; now: Date },
): Promise<{ accountId: string; tries: number }> {
  const [before] = await tx.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, id)).for("update");
  if (before && before.state !== "failed")
    throw new DomainError("conflict", { detail: "This delivery was not given up." });
  const { row } = await sendAgain(tx, { id, now });
  return { accountId: row.accountId, tries: before?.tries ?? 0 };
}

/** Omit `accountId` for any account. @throws not-found, conflict */
async function sendAgain(db: Queryable, { id, accountId, now }: { id: string; accountId?: string; now: Date }) {
  const isDelivery = and(
    eq(webhookDeliveries.id, id),
    accountId === undefined ? undefined : eq(webhookDeliveries.accountId, accountId),
  );
  const [found] = await db
    .select({ endpoint: webhookEndpoints })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .where(isDelivery);
  if (!found) throw new DomainError("not-found");
  if (found.endpoint.disabledAt)
    throw new DomainError("conflict", { detail: "The URL returned 410 and is disabled. Create a new webhook." });
  const [row] = await db
    .update(webhookDeliveries)
    .set({ state: "waiting", tries: 0, dueAt: now, lastProblem: null })
    .where(and(isDelivery, ne(webhookDeliveries.state, "waiting")))
    .returning();
  if (!row) throw new DomainError("conflict", { detail: "This delivery is in progress." });
  return { row, endpoint: found.endpoint };
}

/** Deliveries of all accounts that were given up, or that failed and will be retried; newest first, after a cursor. */
export const listFailingDeliveries = (
  db: Database,
  { state, after, limit }: { state: "waiting" | "failed"; after: string | undefined; limit: number },
): Promise<(typeof webhookDeliveries.$inferSelect)[]> =>
  db
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.state, state),
        state === "waiting" ? isNotNull(webhookDeliveries.lastProblem) : undefined,
        after === undefined ? undefined : lt(webhookDeliveries.id, after),
      ),
    )
    .orderBy(desc(webhookDeliveries.id))
    .limit(limit);

const viewOf = (row: typeof webhookDeliveries.$inferSelect, isStanding: boolean): WebhookDelivery => ({
  id: row.id,
  webhook_id: isStanding ? row.endpointId : null,
  url: row.url,
  job_id: row.jobId,
  state: row.state,
  attempts: row.tries,
  status: row.status,
  created_at: row.createdAt.toISOString(),
  next_attempt_at: row.state === "waiting" ? (row.dueAt?.toISOString() ?? null) : null,
});
