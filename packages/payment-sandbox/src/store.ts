import type { InvoiceEntity, PaymentEntity, SandboxSubscription } from "./entities.ts";
import { entityId } from "./entities.ts";
import { dueAt, type Step, stepTo } from "./lifecycle.ts";
import type { RecordStore, Records } from "./record-store.ts";

/** A webhook that has not been delivered yet. */
export type WebhookRecord = { body: string; tries: number };
export type RefundEntity = {
  id: string;
  entity: "refund";
  payment_id: string;
  amount: number;
  currency: string;
  status: "processed";
  created_at: number;
};

/** A refund and the idempotency key of its request. */
type RefundRecord = RefundEntity & { key?: string };

type Kinds = {
  subscription: SandboxSubscription;
  invoice: InvoiceEntity;
  payment: PaymentEntity;
  refund: RefundRecord;
  webhook: WebhookRecord;
};
type Kind = keyof Kinds;

/** The sandbox's entities, changed one subscription at a time. */
export type Store = {
  find<K extends Kind>(kind: K, id: string): Promise<Kinds[K] | undefined>;
  /** Newest first. */
  list<K extends Kind>(
    kind: K,
    of: { parent?: string | undefined; from?: number | undefined; to?: number | undefined },
  ): Promise<Kinds[K][]>;
  add(subscription: SandboxSubscription): Promise<void>;
  /** Calls `decide` with the subscription under a lock, and writes its result. */
  change<Answer extends Step | string | undefined>(
    id: string,
    decide: (subscription: SandboxSubscription) => Answer,
  ): Promise<Answer | undefined>;
  /**
   * Refunds a payment, in full or by an amount, once per key; undefined if there is no such payment, or the gateway's
   * error message if it refuses.
   */
  refund(
    paymentId: string,
    refund: { amount: number | undefined; key: string | undefined },
  ): Promise<RefundEntity | string | undefined>;
  /** Performs everything that is due by now, step by step, each at its own time. */
  advance(): Promise<void>;
  /** Claims a due webhook: no other process sends it during `holdMs`. */
  takeWebhook(holdMs: number): Promise<(WebhookRecord & { id: string; createdAt: Date }) | undefined>;
  saveWebhook(id: string, record: WebhookRecord, dueAt: Date | null): Promise<void>;
};

const seconds = (at: Date) => Math.floor(at.getTime() / 1000);
const dateOf = (at: number | null) => (at === null ? null : new Date(at * 1000));

export type Clock = { now(): Date };

export function openStore({ records, clock }: { records: RecordStore; clock: Clock }): Store {
  const write = async (tx: Records, { subscription, invoice, payment, events }: Step) => {
    const parent = subscription.entity.id;
    await tx.update(parent, { body: subscription, dueAt: dateOf(dueAt(subscription)) });
    const created = [
      invoice && ({ kind: "invoice", body: invoice } as const),
      payment && ({ kind: "payment", body: payment } as const),
    ];
    for (const one of created)
      if (one) {
        const createdAt = new Date(one.body.created_at * 1000);
        await tx.save({ id: one.body.id, kind: one.kind, parent, createdAt, dueAt: null, body: one.body });
      }
    for (const event of events)
      await tx.save({
        id: entityId("event"),
        kind: "webhook",
        parent,
        createdAt: new Date(event.at * 1000),
        dueAt: clock.now(),
        body: { body: eventBody(event), tries: 0 } satisfies WebhookRecord,
      });
  };

  const store: Store = {
    async find(kind, id) {
      return (await records.find(kind, id))?.body as Kinds[typeof kind] | undefined; // written only by this file, in the kind's shape
    },
    async list(kind, { parent, from, to }) {
      const found = await records.list(kind, {
        parent,
        from: from === undefined ? undefined : new Date(from * 1000),
        to: to === undefined ? undefined : new Date(to * 1000),
      });
      return found.map(({ body }) => body as Kinds[typeof kind]); // as above
    },
    add: (subscription) =>
      records.save({
        id: subscription.entity.id,
        kind: "subscription",
        parent: null,
        createdAt: new Date(subscription.entity.created_at * 1000),
        dueAt: dateOf(dueAt(subscription)),
        body: subscription,
      }),
    change: (id, decide) =>
      records.transaction(async (tx) => {
        const record = await tx.find("subscription", id);
        if (!record) return undefined;
        const decision = decide(record.body as SandboxSubscription); // as above
        if (typeof decision === "object") await write(tx, decision);
        return decision;
      }),
    refund: (paymentId, request) =>
      records.transaction(async (tx) => {
        const record = await tx.find("payment", paymentId);
        if (!record) return undefined;
        const payment = record.body as PaymentEntity; // as above
        const earlier = (await tx.list("refund", { parent: paymentId })).map(({ body }) => body as RefundRecord); // as above
        const outcome = refundOf(payment, { ...request, earlier, at: clock.now() });
        if (typeof outcome === "string") return outcome;
        if ("again" in outcome) return outcome.again;
        const { refund, after, key } = outcome;
        await tx.update(paymentId, { body: after });
        const body: RefundRecord = { ...refund, ...(key === undefined ? {} : { key }) };
        await tx.save({
          id: refund.id,
          kind: "refund",
          parent: paymentId,
          createdAt: clock.now(),
          dueAt: null,
          body,
        });
        return refund;
      }),
    async advance() {
      const now = clock.now();
      for (const id of await records.due("subscription", now))
        while (await store.change(id, (subscription) => stepTo(subscription, seconds(now))));
    },
    async takeWebhook(holdMs) {
      const now = clock.now();
      const record = await records.takeDue("webhook", { now, until: new Date(now.getTime() + holdMs) });
      return record && { id: record.id, createdAt: record.createdAt, ...(record.body as WebhookRecord) }; // as above
    },
    saveWebhook: (id, record, at) => records.update(id, { body: record, dueAt: at }),
  };
  return store;
}

type RefundRequest = {
  amount: number | undefined;
  key: string | undefined;
  earlier: readonly RefundRecord[];
  at: Date;
};

/** The refund and the updated payment; an earlier refund under the same key; or the gateway's error message. */
function refundOf(payment: PaymentEntity, { amount: requested, key, earlier, at }: RefundRequest) {
  const amount = requested ?? payment.amount - payment.amount_refunded;
  const repeated = key === undefined ? undefined : earlier.find((one) => one.key === key);
  if (repeated) {
    const { key: _, ...again } = repeated;
    return again.amount === amount ? { again } : "Different request body sent for the same idempotency key";
  }
  if (payment.status !== "captured") return "The payment has been fully refunded already or was never captured";
  const refunded = payment.amount_refunded + amount;
  if (refunded > payment.amount) return "The refund amount provided is greater than amount captured";
  const isAll = refunded === payment.amount;
  const refund: RefundEntity = {
    id: entityId("rfnd"),
    entity: "refund",
    payment_id: payment.id,
    amount,
    currency: payment.currency,
    status: "processed",
    created_at: seconds(at),
  };
  const after: PaymentEntity = {
    ...payment,
    status: isAll ? "refunded" : "captured",
    amount_refunded: refunded,
    refund_status: isAll ? "full" : "partial",
  };
  return { refund, after, key };
}

/** The exact bytes that are signed and sent, on every attempt. */
function eventBody({ kind, at, subscription, payment }: Step["events"][number]): string {
  return JSON.stringify({
    entity: "event",
    account_id: "acc_Sandbox0000000",
    event: kind,
    contains: ["subscription", ...(payment ? ["payment"] : [])],
    payload: { subscription: { entity: subscription }, ...(payment ? { payment: { entity: payment } } : {}) },
    created_at: at,
  });
}
