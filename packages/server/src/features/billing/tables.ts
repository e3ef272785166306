import { billingCycles, currencies, paidPlanNames, transactionStatuses } from "@tintype/contract";
import { sql } from "drizzle-orm";
import { bigserial, boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { timestamptz } from "../../platform/db/columns.ts";

/**
 * A sale of a plan, from the checkout on: the gateway's last known state, what was paid, and why it ends.
 * features/billing/README.md explains the states; `state` follows from the other columns.
 */
export const subscriptions = pgTable(
  "subscriptions",
  {
    id: text("id").primaryKey(),
    /** Null once the account is deleted. */
    accountId: text("account_id"),
    /** Null until the gateway has created it. */
    gatewayId: text("gateway_id").unique(),
    /** Its plan at the gateway; our price may have changed since. */
    gatewayPlanId: text("gateway_plan_id").notNull(),
    plan: text("plan", { enum: paidPlanNames }).notNull(),
    cycle: text("cycle", { enum: billingCycles }).notNull(),
    currency: text("currency", { enum: currencies }).notNull(),
    /** The renewal price. */
    amountMinor: integer("amount_minor").notNull(),
    /** The renewal price before its last change. */
    formerAmountMinor: integer("former_amount_minor"),
    /** The price that it is to move to. The columns of a move are null together. */
    moveAmountMinor: integer("move_amount_minor"),
    movePlanId: text("move_plan_id"),
    /** The first renewal at that price, as announced in the mail. */
    moveFrom: timestamptz("move_from"),
    moveNotBefore: timestamptz("move_not_before"),
    moveAnnouncedAt: timestamptz("move_announced_at"),
    moveState: text("move_state", { enum: ["announced", "sending", "scheduled", "refused"] }),
    state: text("state", { enum: ["open", "scheduled", "active", "past_due", "halted", "ended"] }).notNull(),
    /** When it starts and is first charged; null: at the checkout. */
    startsAt: timestamptz("starts_at"),
    /** The subscription that it replaces once paid. */
    replaces: text("replaces"),
    paidThrough: timestamptz("paid_through"),
    gatewayStatus: text("gateway_status").notNull(),
    seenAt: timestamptz("seen_at"),
    stopReason: text("stop_reason", { enum: ["cancelled", "replaced", "abandoned", "duplicate", "deleted"] }),
    stoppedAt: timestamptz("stopped_at"),
    stopEndsBy: timestamptz("stop_ends_by"),
    /** Paid days from then on count as unused and are refunded. */
    stopRefundsFrom: timestamptz("stop_refunds_from"),
    /** The stop that was sent to the gateway. */
    sentStop: text("sent_stop", { enum: ["none", "at-end", "now"] }).notNull(),
    createdAt: timestamptz("created_at").notNull(),
    /** How long the checkout can be paid. */
    expiresAt: timestamptz("expires_at").notNull(),
    /** The next poll; null: never. */
    wakeAt: timestamptz("wake_at"),
    /** Consecutive attempts without a response from the gateway. */
    misses: integer("misses").notNull().default(0),
    /** A process is creating it at the gateway. No other may until then. */
    claimedUntil: timestamptz("claimed_until"),
    /** The request that created it. */
    requestId: text("request_id"),
  },
  (table) => [
    index("subscriptions_account").on(table.accountId),
    index("subscriptions_request").on(table.requestId).where(sql`${table.requestId} is not null`),
    index("subscriptions_wake").on(table.wakeAt).where(sql`${table.wakeAt} is not null`),
    // Two tabs at the same moment get the same one.
    uniqueIndex("subscriptions_open")
      .on(table.accountId, table.plan, table.cycle)
      .where(sql`${table.state} = 'open' and ${table.accountId} is not null`),
  ],
);

/** Charge attempts, by the gateway's id. They outlive the account, without the name. */
export const payments = pgTable(
  "payments",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id"),
    subscriptionId: text("subscription_id").notNull(),
    plan: text("plan", { enum: paidPlanNames }).notNull(),
    cycle: text("cycle", { enum: billingCycles }).notNull(),
    amountMinor: integer("amount_minor").notNull(),
    currency: text("currency", { enum: currencies }).notNull(),
    status: text("status", { enum: transactionStatuses }).notNull(),
    /** Charged in the gateway's test mode: no money moved. */
    isTest: boolean("is_test").notNull().default(false),
    at: timestamptz("at").notNull(),
    /** The period it pays for. */
    coversFrom: timestamptz("covers_from"),
    coversUntil: timestamptz("covers_until"),
    /** Refunds: payments without a service, and the price of unused days. */
    refund: text("refund", { enum: ["none", "wanted", "done"] }).notNull(),
    /** The amount to refund; null: nothing, or (before partial refunds) all of it. */
    refundMinor: integer("refund_minor"),
    /** How much the gateway had refunded before ours, by a refund on its dashboard. */
    refundedBeforeMinor: integer("refunded_before_minor").notNull().default(0),
    refundTries: integer("refund_tries").notNull().default(0),
    refundDueAt: timestamptz("refund_due_at"),
    isInvoiced: boolean("is_invoiced").notNull().default(false),
    /** The request of the checkout, if that came first; null if a webhook or a poll did. */
    requestId: text("request_id"),
  },
  (table) => [
    index("payments_account").on(table.accountId, table.at, table.id),
    index("payments_at").on(table.at).where(sql`${table.status} <> 'failed'`),
    index("payments_subscription").on(table.subscriptionId),
    index("payments_request").on(table.requestId).where(sql`${table.requestId} is not null`),
    index("payments_refund").on(table.refundDueAt).where(sql`${table.refund} = 'wanted'`),
    // books.ts queries with the same conditions.
    index("payments_uninvoiced")
      .on(table.at, table.id)
      .where(sql`not ${table.isInvoiced} and ${table.status} <> 'failed'`),
    index("payments_returned")
      .on(table.at, table.id)
      .where(sql`${table.isInvoiced} and (${table.status} = 'refunded' or ${table.refund} = 'done')`),
  ],
);

/** The gateway's webhooks, each event once. */
export const gatewayEvents = pgTable(
  "gateway_events",
  {
    id: text("id").primaryKey(),
    kind: text("kind").notNull(),
    gatewayId: text("gateway_id"),
    paymentId: text("payment_id"),
    receivedAt: timestamptz("received_at").notNull(),
    /** Null once processed. */
    dueAt: timestamptz("due_at"),
    tries: integer("tries").notNull().default(0),
  },
  (table) => [
    index("gateway_events_due").on(table.dueAt).where(sql`${table.dueAt} is not null`),
    index("gateway_events_age").on(table.receivedAt),
  ],
);

/** Changes of plans, movements of money, and attempts. Identifies people by account id only. */
export const auditLines = pgTable(
  "audit_lines",
  {
    id: bigserial("id", { mode: "number" }).primaryKey(),
    at: timestamptz("at").notNull(),
    accountId: text("account_id"),
    subscriptionId: text("subscription_id"),
    kind: text("kind").notNull(),
    detail: jsonb("detail").notNull(),
  },
  (table) => [index("audit_lines_account").on(table.accountId), index("audit_lines_kind").on(table.kind, table.at)],
);
