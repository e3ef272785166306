import type { WebhookEvent } from "@tintype/contract";
import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { FastifyBaseLogger } from "fastify";
import { Webhook as Signer } from "standardwebhooks";
import type { Clock } from "../../platform/clock.ts";
import { type Database, rowsOf } from "../../platform/db/database.ts";
import { newId } from "../../platform/id.ts";
import type { Outbound } from "../../platform/outbound/outbound.ts";
import { type Backlog, createOutbox, measureBacklog } from "../../platform/outbox.ts";
import type { RetryPolicy } from "../../platform/retry-policy.ts";
import { isSettled, requestIdOf } from "../jobs/deliver/output-rows.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { JobWebhooks } from "../jobs/order/url-input.ts";
import type { JobRecord } from "../jobs/record/job.ts";
import { findJob, textArray } from "../jobs/record/store.ts";
import { keepAccountEndpoint, ofSingleCalls } from "./endpoints.ts";
import { signingSecrets } from "./secrets.ts";
import { webhookDeliveries, webhookEndpoints } from "./tables.ts";

/** Sends webhooks when jobs end, following Standard Webhooks. The README.md in this folder has the rules. */
export type Webhooks = JobWebhooks & {
  /** Sends what is due. Every API process runs it each second. */
  sendDue(): Promise<void>;
  close(): Promise<void>;
};

type WebhookDependencies = {
  db: Database;
  clock: Clock;
  jobs: Pick<Jobs, "view">;
  outbound: Outbound;
  /** Secrets are derived from the first. Deliveries are also signed with those of the others. */
  masterSecrets: readonly string[];
  log: Pick<FastifyBaseLogger, "info" | "warn" | "error">;
};

/** The result is kept for 12 minutes after the job: even after the last attempt it can still be fetched. */
const retries: RetryPolicy = { delaysMs: [5_000, 30_000, 120_000, 300_000] };
const responseTimeoutMs = 10_000;
/** A delivery is reserved for this time. If its process dies, another sends it again. */
const reservationMs = 30_000;

type DueDelivery = {
  id: string;
  account_id: string;
  endpoint_id: string;
  job_id: string;
  url: string;
  tries: number;
  request_id: string | null;
};

/** Waiting deliveries of jobs that have ended. Those of other jobs are not due yet. */
export const webhookBacklog = (db: Database, now: Date): Promise<Backlog> =>
  measureBacklog(db, {
    rows: sql`from webhook_deliveries d where d.state = 'waiting' and ${isSettled(sql.raw("d.job_id"))}`,
    now,
  });

export function createWebhooks(dependencies: WebhookDependencies): Webhooks {
  const { db, clock, log } = dependencies;

  const send = async (due: DueDelivery): Promise<"sent" | { refused: string }> => {
    const [endpoint] = await db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, due.endpoint_id));
    const record = await findJob(db, due.job_id);
    if (!endpoint || !record || endpoint.disabledAt)
      return { refused: "The webhook or the job no longer exists, or the URL returned 410 before." };
    const status = await postEvent(dependencies, due, { record, endpoint });
    await db.update(webhookDeliveries).set({ status }).where(matchesAttempt(due));
    if (status === 410) {
      await disable(due.endpoint_id);
      return { refused: "The URL returned 410 and gets no more deliveries." };
    }
    if (status !== null && status >= 200 && status < 300) return "sent";
    throw new Error(status === null ? "The URL could not be reached." : `The URL returned ${status}.`);
  };

  /** Another process may have reserved it meanwhile, or its owner may have requested a redelivery. */
  const matchesAttempt = ({ id, tries }: DueDelivery) =>
    and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.tries, tries));

  /** 410 disables an endpoint. The address of a single call has no endpoint to disable. */
  const disable = async (id: string): Promise<void> => {
    await db
      .update(webhookEndpoints)
      .set({ disabledAt: clock.now() })
      .where(and(eq(webhookEndpoints.id, id), isNotNull(webhookEndpoints.url)));
  };

  const outbox = createOutbox({
    reserve: (busy) => reserveDelivery(db, { now: clock.now(), busy }),
    ownerOf: (due) => due.account_id,
    send,
    settle: (due, settlement) => db.update(webhookDeliveries).set(settlement).where(matchesAttempt(due)),
    retries,
    clock,
    log,
    what: "a webhook",
    describe: ({ id, job_id: job, request_id: reqId }) => ({ delivery: id, job, ...(reqId === null ? {} : { reqId }) }),
  });
  return {
    async keep(tx, { jobId, accountId, url }) {
      const now = clock.now();
      if (url !== undefined) await keepAccountEndpoint(tx, { accountId, now });
      const standing = await tx
        .select({ id: webhookEndpoints.id, url: webhookEndpoints.url })
        .from(webhookEndpoints)
        .where(
          and(
            eq(webhookEndpoints.accountId, accountId),
            isNotNull(webhookEndpoints.url),
            isNull(webhookEndpoints.disabledAt),
          ),
        );
      const single =
        url === undefined
          ? []
          : await tx.select({ id: webhookEndpoints.id }).from(webhookEndpoints).where(ofSingleCalls(accountId));
      const endpoints = [...standing, ...single.map(({ id }) => ({ id, url: url ?? null }))];
      const rows = endpoints.map((one) => ({
        id: newId("msg"),
        accountId,
        endpointId: one.id,
        jobId,
        url: one.url ?? "",
        createdAt: now,
        dueAt: now,
      }));
      if (rows.length > 0) await tx.insert(webhookDeliveries).values(rows);
    },
    sendDue: outbox.sendDue,
    close: outbox.close,
  };
}

/** Reserves a due delivery for this process, of none of the accounts in `busy`. */
async function reserveDelivery(
  db: Database,
  { now, busy }: { now: Date; busy: readonly string[] },
): Promise<DueDelivery | undefined> {
  const [row] = await rowsOf<DueDelivery>(
    db.execute(sql`
      update webhook_deliveries set tries = tries + 1,
        due_at = ${new Date(now.getTime() + reservationMs).toISOString()}::timestamptz
      where id = (
        select d.id from webhook_deliveries d
        where d.state = 'waiting' and d.due_at <= ${now.toISOString()}::timestamptz
          and d.account_id <> all(${textArray(busy)}) and ${isSettled(sql.raw("d.job_id"))}
        order by d.due_at limit 1 for update of d skip locked)
      returning id, account_id, endpoint_id, job_id, url, tries,
        ${requestIdOf(sql.raw("webhook_deliveries.job_id"))} as request_id`),
  );
  return row;
}

/** The response status; null if the address could not be reached or is not allowed. */
async function postEvent(
  { clock, jobs, outbound, masterSecrets }: WebhookDependencies,
  due: DueDelivery,
  { record, endpoint }: { record: JobRecord; endpoint: typeof webhookEndpoints.$inferSelect },
): Promise<number | null> {
  const now = clock.now();
  const owner = { key: record.owner, tier: record.tier };
  const event: WebhookEvent = {
    type: "job.finished",
    timestamp: (record.finishedAt ?? now).toISOString(),
    data: await jobs.view(record, owner),
  };
  const body = JSON.stringify(event);
  const secrets = signingSecrets(endpoint, { masterSecrets, now });
  try {
    const response = await outbound.send(due.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "webhook-id": due.id,
        "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
        "webhook-signature": secrets.map((secret) => new Signer(secret).sign(due.id, now, body)).join(" "),
      },
      body: Buffer.from(body),
      timeoutMs: responseTimeoutMs,
    });
    response.body.on("error", () => {}).destroy();
    return response.status;
  } catch {
    return null;
  }
}
