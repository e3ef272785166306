import { DomainError, type WebhookDeliveries, type WebhookDelivery } from "@tintype/contract";
import { and, desc, eq, lt, ne } from "drizzle-orm";
import type { Endpoints } from "./endpoints.ts";
import { webhookDeliveries, webhookEndpoints } from "./tables.ts";

/** An account's deliveries, the newest first; a job's go with its row, a day after its end. @throws invalid-request */
export async function listDeliveries(
  { db }: Endpoints,
  accountId: string,
  { before, size }: { before?: string | undefined; size: number },
): Promise<WebhookDeliveries> {
  if (before !== undefined && !/^msg_[0-9a-z]{1,40}$/.test(before))
    throw new DomainError("invalid-request", {
      field: "before",
      detail: "before: take the `next` of an earlier answer.",
    });
  const rows = await db
    .select({ delivery: webhookDeliveries, standing: webhookEndpoints.url })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .where(
      and(
        eq(webhookDeliveries.accountId, accountId),
        before === undefined ? undefined : lt(webhookDeliveries.id, before),
      ),
    )
    .orderBy(desc(webhookDeliveries.id))
    .limit(size + 1);
  const shown = rows.slice(0, size);
  return {
    deliveries: shown.map(({ delivery, standing }) => viewOf(delivery, standing !== null)),
    next: rows.length > size ? (shown.at(-1)?.delivery.id ?? null) : null,
  };
}

/** Sends a delivery again, from the first attempt on. @throws not-found, conflict */
export async function replayDelivery(
  { db, clock }: Endpoints,
  accountId: string,
  id: string,
): Promise<WebhookDelivery> {
  const mine = and(eq(webhookDeliveries.accountId, accountId), eq(webhookDeliveries.id, id));
  const [found] = await db
    .select({ delivery: webhookDeliveries, endpoint: webhookEndpoints })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .where(mine);
  if (!found) throw new DomainError("not-found");
  if (found.endpoint.disabledAt)
    throw new DomainError("conflict", { detail: "The address answered 410 and is disabled. Create a new webhook." });
  const [row] = await db
    .update(webhookDeliveries)
    .set({ state: "waiting", tries: 0, dueAt: clock.now() })
    .where(and(mine, ne(webhookDeliveries.state, "waiting")))
    .returning();
  if (!row) throw new DomainError("conflict", { detail: "This delivery is in progress." });
  return viewOf(row, found.endpoint.url !== null);
}

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
