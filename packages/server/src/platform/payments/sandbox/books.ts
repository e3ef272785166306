import { and, asc, desc, eq, gte, lte, sql } from "drizzle-orm";
import type { Clock } from "../../clock.ts";
import type { Database, Transaction } from "../../db/database.ts";
import { sandboxRecords } from "../../db/tables.ts";
import type { InvoiceEntity, PaymentEntity, SandboxSubscription } from "./entities.ts";
import { entityId } from "./entities.ts";
import { dueAt, type Step, stepTo } from "./life.ts";

/** A webhook that still has to arrive. */
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

/** A refund and the key it was asked for under. */
type RefundRecord = RefundEntity & { key?: string };

type Kinds = {
  subscription: SandboxSubscription;
  invoice: InvoiceEntity;
  payment: PaymentEntity;
  refund: RefundRecord;
  webhook: WebhookRecord;
};
type Kind = keyof Kinds;

/** The sandbox's memory: its records in the database, changed one subscription at a time. */
export type Books = {
  find<K extends Kind>(kind: K, id: string): Promise<Kinds[K] | undefined>;
  /** Newest first. */
  list<K extends Kind>(
    kind: K,
    of: { parent?: string | undefined; orderId?: string; from?: number | undefined; to?: number | undefined },
  ): Promise<Kinds[K][]>;
  add(subscription: SandboxSubscription): Promise<void>;
  /** Lets `decide` see the subscription while nobody else can change it, and writes down what it answers. */
  change<Answer extends Step | string | undefined>(
    id: string,
    decide: (subscription: SandboxSubscription) => Answer,
  ): Promise<Answer | undefined>;
  /**
   * Gives a payment back, all that is left of it or an amount, once a key; undefined where there is no such payment,
   * the gateway's sentence where it refuses.
   */
  refund(
    paymentId: string,
    refund: { amount: number | undefined; key: string | undefined },
  ): Promise<RefundEntity | string | undefined>;
  /** Does everything that is due by now, step by step, each at its own time. */
  advance(): Promise<void>;
  /** Takes a webhook that is due, so that nobody else sends it for the time given. */
  takeWebhook(holdMs: number): Promise<(WebhookRecord & { id: string; createdAt: Date }) | undefined>;
  saveWebhook(id: string, record: WebhookRecord, dueAt: Date | null): Promise<void>;
};

const seconds = (at: Date) => Math.floor(at.getTime() / 1000);
const dateOf = (at: number | null) => (at === null ? null : new Date(at * 1000));

export function openBooks({ db, clock }: { db: Database; clock: Clock }): Books {
  const write = async (tx: Transaction, step: Step) => {
    const { subscription, invoice, payment, events } = step;
    const parent = subscription.shown.id;
    await tx
      .update(sandboxRecords)
      .set({ body: subscription, dueAt: dateOf(dueAt(subscription)) })
      .where(eq(sandboxRecords.id, parent));
    for (const [kind, body] of [
      ["invoice", invoice],
      ["payment", payment],
    ] as const)
      if (body)
        await tx
          .insert(sandboxRecords)
          .values({ id: body.id, kind, parent, createdAt: new Date(body.created_at * 1000), body })
          .onConflictDoUpdate({ target: sandboxRecords.id, set: { body } });
    for (const event of events)
      await tx.insert(sandboxRecords).values({
        id: entityId("event"),
        kind: "webhook",
        parent,
        createdAt: new Date(event.at * 1000),
        dueAt: clock.now(),
        body: { body: eventBody(event), tries: 0 } satisfies WebhookRecord,
      });
  };

  const books: Books = {
    async find(kind, id) {
      const [row] = await db
        .select()
        .from(sandboxRecords)
        .where(and(eq(sandboxRecords.id, id), eq(sandboxRecords.kind, kind)));
      return row?.body as Kinds[typeof kind] | undefined; // this file alone writes them, each kind its own shape
    },
    async list(kind, { parent, orderId, from, to }) {
      const rows = await db
        .select()
        .from(sandboxRecords)
        .where(
          and(
            eq(sandboxRecords.kind, kind),
            parent === undefined ? undefined : eq(sandboxRecords.parent, parent),
            orderId === undefined ? undefined : sql`${sandboxRecords.body}->>'order_id' = ${orderId}`,
            from === undefined ? undefined : gte(sandboxRecords.createdAt, new Date(from * 1000)),
            to === undefined ? undefined : lte(sandboxRecords.createdAt, new Date(to * 1000)),
          ),
        )
        .orderBy(desc(sandboxRecords.createdAt), desc(sandboxRecords.id));
      return rows.map((row) => row.body as Kinds[typeof kind]); // as above
    },
    async add(subscription) {
      const { id, created_at } = subscription.shown;
      await db.insert(sandboxRecords).values({
        id,
        kind: "subscription",
        createdAt: new Date(created_at * 1000),
        dueAt: dateOf(dueAt(subscription)),
        body: subscription,
      });
    },
    change: (id, decide) =>
      db.transaction(async (tx) => {
        const [row] = await tx
          .select()
          .from(sandboxRecords)
          .where(and(eq(sandboxRecords.id, id), eq(sandboxRecords.kind, "subscription")))
          .for("update");
        if (!row) return undefined;
        const answer = decide(row.body as SandboxSubscription); // as above
        if (typeof answer === "object") await write(tx, answer);
        return answer;
      }),
    refund: (paymentId, { amount: wanted, key }) =>
      db.transaction(async (tx) => {
        const [row] = await tx
          .select()
          .from(sandboxRecords)
          .where(and(eq(sandboxRecords.id, paymentId), eq(sandboxRecords.kind, "payment")))
          .for("update");
        if (!row) return undefined;
        const payment = row.body as PaymentEntity; // as above
        const earlier = key === undefined ? undefined : await findRefund(tx, { paymentId, key });
        const amount = wanted ?? payment.amount - payment.amount_refunded;
        if (earlier)
          return earlier.amount === amount ? earlier : "Different request body sent for the same idempotency key";
        if (payment.status !== "captured") return "The payment has been fully refunded already or was never captured";
        const refunded = payment.amount_refunded + amount;
        if (refunded > payment.amount) return "The refund amount provided is greater than amount captured";
        const refund: RefundEntity = {
          id: entityId("rfnd"),
          entity: "refund",
          payment_id: paymentId,
          amount,
          currency: payment.currency,
          status: "processed",
          created_at: seconds(clock.now()),
        };
        const isAll = refunded === payment.amount;
        const body: PaymentEntity = {
          ...payment,
          status: isAll ? "refunded" : "captured",
          amount_refunded: refunded,
          refund_status: isAll ? "full" : "partial",
        };
        await tx.update(sandboxRecords).set({ body }).where(eq(sandboxRecords.id, paymentId));
        await tx.insert(sandboxRecords).values({
          id: refund.id,
          kind: "refund",
          parent: paymentId,
          createdAt: clock.now(),
          body: { ...refund, ...(key === undefined ? {} : { key }) } satisfies RefundRecord,
        });
        return refund;
      }),
    async advance() {
      const now = clock.now();
      const due = await db
        .select({ id: sandboxRecords.id })
        .from(sandboxRecords)
        .where(and(eq(sandboxRecords.kind, "subscription"), lte(sandboxRecords.dueAt, now)))
        .orderBy(asc(sandboxRecords.dueAt));
      for (const { id } of due) while (await books.change(id, (subscription) => stepTo(subscription, seconds(now))));
    },
    async takeWebhook(holdMs) {
      const now = clock.now();
      const [row] = await db
        .update(sandboxRecords)
        .set({ dueAt: new Date(now.getTime() + holdMs) })
        .where(
          eq(
            sandboxRecords.id,
            sql`(select id from sandbox_records where kind = 'webhook' and due_at <= ${now.toISOString()}::timestamptz
              order by due_at, id limit 1 for update skip locked)`,
          ),
        )
        .returning();
      return row && { id: row.id, createdAt: row.createdAt, ...(row.body as WebhookRecord) }; // as above
    },
    async saveWebhook(id, record, at) {
      await db.update(sandboxRecords).set({ body: record, dueAt: at }).where(eq(sandboxRecords.id, id));
    },
  };
  return books;
}

async function findRefund(
  tx: Transaction,
  { paymentId, key }: { paymentId: string; key: string },
): Promise<RefundEntity | undefined> {
  const rows = await tx
    .select()
    .from(sandboxRecords)
    .where(and(eq(sandboxRecords.parent, paymentId), eq(sandboxRecords.kind, "refund")));
  const found = rows.map((row) => row.body as RefundRecord).find((one) => one.key === key); // as above
  if (!found) return undefined;
  const { key: _, ...refund } = found;
  return refund;
}

/** The very bytes that are signed and sent, however often. */
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
