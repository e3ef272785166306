import { DomainError } from "@tintype/contract";
import { asc, inArray, lte, sql } from "drizzle-orm";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Database } from "../../platform/db/database.ts";
import { type Backlog, measureBacklog } from "../../platform/outbox.ts";
import { GatewayError } from "../../platform/payments/gateway.ts";
import { writeAudit } from "./audit.ts";
import { type ReconcileDependencies, reconcile } from "./reconcile.ts";
import { findSubscription } from "./store.ts";
import { gatewayEvents } from "./tables.ts";

/** The path for the gateway's events. Not part of the public contract: only the gateway calls it. */
export const webhookPath = "/api/webhooks/razorpay";

/** Each wrong signature is audited, up to this many an hour: otherwise an attacker could fill the disk. */
const refusalsAnHour = 100;

const headerOf = (value: string | string[] | undefined): string => (Array.isArray(value) ? "" : (value ?? ""));

/**
 * Stores an event, once per id, and responds. The gateway is polled for its meaning afterwards, so neither a slow gateway
 * nor the order of events matters.
 */
export async function mountWebhook(
  app: FastifyInstance,
  dependencies: ReconcileDependencies,
  { onEvent }: { onEvent(): void },
): Promise<void> {
  const { db, clock, gateway, log, meter } = dependencies;
  let refusals = { hour: -1, count: 0 };
  const noteRefusal = async (detail: Record<string, unknown>) => {
    const at = clock.now();
    const hour = Math.floor(at.getTime() / 3_600_000);
    refusals = { hour, count: refusals.hour === hour ? refusals.count + 1 : 1 };
    meter.countPaymentWebhookRefused();
    log.warn(detail, "a webhook has an invalid signature");
    if (refusals.count <= refusalsAnHour) await writeAudit(db, { at, kind: "webhook-refused", detail });
  };
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The signature covers the raw bytes.
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: 1_000_000 }, (_request, body, done) =>
      done(null, body),
    );
    const signatureOf = ({ headers }: FastifyRequest) => headerOf(headers["x-razorpay-signature"]);
    const eventIdOf = ({ headers }: FastifyRequest) => headerOf(headers["x-razorpay-event-id"]).slice(0, 200);
    const refuse = async (request: FastifyRequest) => {
      await noteRefusal({ eventId: eventIdOf(request), hasSignature: signatureOf(request) !== "" });
      throw new DomainError("unauthorized", { detail: "The signature is invalid." });
    };
    // Before the body is read: without a signature it is a stranger's.
    const preParsing = async (request: FastifyRequest) => {
      if (signatureOf(request) === "") await refuse(request);
    };
    scope.post(webhookPath, { preParsing }, async (request, reply) => {
      const { body } = request;
      const [signature, eventId] = [signatureOf(request), eventIdOf(request)];
      const event = body instanceof Buffer ? gateway.readWebhook({ body, signature, eventId }) : undefined;
      if (!event) return refuse(request);
      const now = clock.now();
      const { id, kind, subscriptionId, paymentId } = event;
      const isNew = await db.transaction(async (tx) => {
        const inserted = await tx
          .insert(gatewayEvents)
          .values({ id, kind, gatewayId: subscriptionId, paymentId, receivedAt: now, dueAt: now })
          .onConflictDoNothing()
          .returning({ id: gatewayEvents.id });
        const isFirst = inserted.length > 0;
        await writeAudit(tx, {
          at: now,
          kind: isFirst ? "webhook" : "webhook-repeated",
          detail: { id, kind, subscriptionId },
        });
        return isFirst;
      });
      if (isNew) onEvent();
      return reply.header("cache-control", "no-store").code(200).send({ status: "ok" });
    });
  });
}

/** Events that were received and not processed yet. */
export const paymentEventBacklog = (db: Database, now: Date): Promise<Backlog> =>
  measureBacklog(db, { rows: sql`from gateway_events where due_at is not null`, now });

const pauseMs = (tries: number) => Math.min(3_600_000, 30_000 * 2 ** tries);
const holdMs = 60_000;
/** Several events report one payment. Processed together, they cost one poll. */
const batchSize = 50;

type EventRow = typeof gatewayEvents.$inferSelect;

/** Processes received events: polls the gateway for the current state, with retries. */
export async function handleEvents(dependencies: ReconcileDependencies): Promise<void> {
  for (let events = await takeEvents(dependencies); events.length > 0; events = await takeEvents(dependencies)) {
    const bySubscription = Map.groupBy(events, ({ id, gatewayId }) => gatewayId ?? `event ${id}`);
    for (const together of bySubscription.values()) await handleTogether(dependencies, together);
  }
}

/** Due events, locked against other processes. */
async function takeEvents({ db, clock }: ReconcileDependencies): Promise<EventRow[]> {
  const now = clock.now();
  const due = db
    .select({ id: gatewayEvents.id })
    .from(gatewayEvents)
    .where(lte(gatewayEvents.dueAt, now))
    .orderBy(asc(gatewayEvents.dueAt), asc(gatewayEvents.id))
    .limit(batchSize)
    .for("update", { skipLocked: true });
  return db
    .update(gatewayEvents)
    .set({ dueAt: new Date(now.getTime() + holdMs), tries: sql`${gatewayEvents.tries} + 1` })
    .where(inArray(gatewayEvents.id, due))
    .returning();
}

async function handleTogether(dependencies: ReconcileDependencies, events: EventRow[]): Promise<void> {
  const { db, clock, log } = dependencies;
  const ids = events.map(({ id }) => id);
  const finish = (dueAt: Date | null) => db.update(gatewayEvents).set({ dueAt }).where(inArray(gatewayEvents.id, ids));
  try {
    await handle(dependencies, events);
    await finish(null);
  } catch (problem) {
    if (!(problem instanceof GatewayError)) log.error({ err: problem, events: ids }, "cannot handle webhook events");
    await finish(new Date(clock.now().getTime() + pauseMs(events[0]?.tries ?? 0)));
  }
}

async function handle(dependencies: ReconcileDependencies, events: EventRow[]): Promise<void> {
  const { db, clock } = dependencies;
  const paymentIds = [...new Set(events.flatMap(({ paymentId }) => paymentId ?? []))];
  const gatewayId =
    events[0]?.gatewayId ?? (paymentIds[0] ? await subscriptionOfPayment(dependencies, paymentIds[0]) : null);
  const subscription = gatewayId === null ? undefined : await findSubscription(db, { gatewayId });
  if (subscription) await reconcile(dependencies, subscription, { paymentIds });
  else await writeAudit(db, { at: clock.now(), kind: "webhook-unknown", detail: { gatewayId, paymentIds } });
}

/** A payment's subscription, found by its invoice; null if it has none, or is not of this gateway account. */
async function subscriptionOfPayment({ gateway }: ReconcileDependencies, paymentId: string): Promise<string | null> {
  try {
    const { invoiceId } = await gateway.fetchPayment(paymentId);
    return invoiceId === null ? null : (await gateway.fetchInvoice(invoiceId)).subscriptionId;
  } catch (problem) {
    if (problem instanceof GatewayError && problem.kind === "refused") return null;
    throw problem;
  }
}
