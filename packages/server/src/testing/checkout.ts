import { randomUUID } from "node:crypto";
import type { ChangeMode, ChangeQuote, Transaction, UserInfo } from "@tintype/contract";
import { sandboxKeys } from "@tintype/payment-sandbox";
import { eq } from "drizzle-orm";
import { accounts } from "../features/accounts/tables.ts";
import { auditLines, subscriptions } from "../features/billing/tables.ts";
import { outboxMails, sandboxRecords } from "../platform/db/tables.ts";
import { deriveKeys } from "../platform/keys.ts";
import { signatureOf } from "../platform/payments/signature.ts";
import type { heldClock, TestApp, TestCaller } from "./harness.ts";

/** The sandbox's test cards. */
export const cards = {
  good: "4111 1111 1111 1111",
  keepsPlan: "4000 0000 0000 0507",
  declined: "4000 0000 0000 0002",
  renewalFails: "4000 0000 0000 0341",
  renewalFailsOnce: "4000 0000 0000 0259",
} as const;

export type Answer<Body> = { status: number; body: Body & { detail?: string } };
export type Signed = { razorpay_payment_id: string; razorpay_subscription_id: string; razorpay_signature: string };

type Session = {
  headers?: Record<string, string>;
  mode?: ChangeMode;
  agreed?: { charge_today_minor: number; refund_minor: number; price_minor?: number; currency?: string };
};
type BuyOptions = Session & { cycle?: string; card?: string };

/** The calls of a browser that buys a plan. */
export function shopper(app: Pick<TestApp, "baseUrl">, person: TestCaller) {
  const json = async <Body>(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<Body>> => {
    const answer = await person.call(path, {
      ...(body === undefined ? {} : { json: body }),
      ...(headers ? { headers } : {}),
    });
    return { status: answer.status, body: (await answer.json().catch(() => ({}))) as Answer<Body>["body"] }; // what the test expects of it
  };
  const session = (plan: string, cycle = "monthly", { headers, ...change }: Session = {}) => {
    const body = { plan_id: plan, billing_cycle: cycle, ...change };
    return json<{ subscription_id: string }>("/api/create-payment-session", body, headers);
  };
  const pay = async (subscriptionId: string, card: string = cards.good, headers: Record<string, string> = {}) => {
    const { key } = (await json<{ key: string }>("/api/razorpay-key")).body;
    const answer = await fetch(`${app.baseUrl}/sandbox/razorpay/checkout/pay`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({
        key_id: key,
        subscription_id: subscriptionId,
        number: card,
        expiry: "12/49",
        code: "123",
      }),
    });
    return { status: answer.status, body: (await answer.json()) as Signed & { error?: { description: string } } };
  };
  const upgrade = (plan: string, signed: Partial<Signed> = {}, cycle = "monthly", headers?: Record<string, string>) => {
    const body = { plan, billing_cycle: cycle, payment_status: "success", ...signed };
    return json<Pick<UserInfo, "plan" | "next_plan" | "next_billing_date">>("/api/upgrade-plan", body, headers);
  };
  /** The whole purchase: session, checkout, upgrade. Returns the subscription's id. */
  const buy = async (plan: string, { cycle = "monthly", card = cards.good, ...change }: BuyOptions = {}) => {
    const { subscription_id } = (await session(plan, cycle, change)).body;
    const paid = await pay(subscription_id, card);
    const upgraded = await upgrade(plan, paid.body, cycle);
    return { subscriptionId: subscription_id, signed: paid.body, upgraded };
  };
  /** The ways to a plan, with what each charges and refunds. */
  const quote = (plan: string, cycle = "monthly") =>
    json<{ ways: ChangeQuote[] }>(`/api/plan-change?plan_id=${plan}&billing_cycle=${cycle}`);
  return {
    json,
    session,
    pay,
    upgrade,
    buy,
    quote,
    /** Upgrades to a more expensive plan at once, at the offered price and refund. */
    async buyNow(plan: string) {
      const now = (await quote(plan)).body.ways.find(({ mode }) => mode === "now");
      if (!now) throw new Error(`There is no way to ${plan} now.`);
      const agreed = {
        charge_today_minor: now.charge_today_minor,
        refund_minor: now.refund?.amount_minor ?? 0,
      };
      return buy(plan, { mode: "now", agreed });
    },
    keep: () => json<Pick<UserInfo, "plan" | "subscription_status">>("/api/keep-plan", {}),
    cancel: (subscriptionId: string) => json<{ cancel_at: string }>(`/api/cancel-subscription/${subscriptionId}`, {}),
    info: async () => (await json<UserInfo>("/api/user-info")).body,
    transactions: async (query = "") =>
      (await json<{ transactions: Transaction[]; next: string | null }>(`/api/transactions${query}`)).body,
  };
}

/** The secret to start an app with, so that its gateway keys are known. */
export const knownSecret = "a secret that is long enough for the tests";

export type Webhook = { kind: string; subscriptionId?: string; paymentId?: string };
export type Envelope = { eventId?: string; signature?: string };

/** Sends an event as the gateway would, signed by default. */
export async function sendWebhook(app: TestApp, event: Webhook, envelope: Envelope = {}): Promise<number> {
  const { kind, subscriptionId, paymentId } = event;
  const body = JSON.stringify({
    entity: "event",
    event: kind,
    payload: {
      ...(subscriptionId ? { subscription: { entity: { id: subscriptionId, status: "active" } } } : {}),
      ...(paymentId ? { payment: { entity: { id: paymentId, status: "captured" } } } : {}),
    },
  });
  const {
    eventId = `event_${randomUUID()}`,
    signature = signatureOf(body, sandboxKeys(deriveKeys(knownSecret).paymentSandbox).webhookSecret),
  } = envelope;
  const answer = await fetch(`${app.baseUrl}/api/webhooks/razorpay`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(signature ? { "x-razorpay-signature": signature } : {}),
      ...(eventId ? { "x-razorpay-event-id": eventId } : {}),
    },
    body,
  });
  await answer.bytes();
  return answer.status;
}

/** Makes a refund on the gateway's own dashboard, for an app started with `knownSecret`. */
export async function refundAtGateway(app: TestApp, paymentId: string, amountMinor: number): Promise<void> {
  const { keyId, keySecret } = sandboxKeys(deriveKeys(knownSecret).paymentSandbox);
  const answer = await fetch(`${app.baseUrl}/sandbox/razorpay/v1/payments/${paymentId}/refund`, {
    method: "POST",
    headers: {
      authorization: `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString("base64")}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ amount: amountMinor }),
  });
  if (!answer.ok) throw new Error(`the refund was refused: ${await answer.text()}`);
}

/** Reads the tables directly. */
export function insideOf({ db }: TestApp) {
  const accountOf = async (subject: string) => {
    const [account] = await db.select().from(accounts).where(eq(accounts.subject, subject));
    return account?.id ?? "";
  };
  return {
    accountOf,
    /** The sandbox's own record of a subscription. */
    async atGateway(id: string) {
      const [row] = await db.select().from(sandboxRecords).where(eq(sandboxRecords.id, id));
      const record = row?.body as { entity: { status: string } } | undefined; // as the sandbox stores subscriptions
      return { status: record?.entity.status ?? "unknown" };
    },
    /** The kinds of mails that a person has got or will get. */
    async mailsTo(subject: string) {
      const rows = await db
        .select()
        .from(outboxMails)
        .where(eq(outboxMails.accountId, await accountOf(subject)));
      // The welcome mail is tested with the accounts.
      return rows.flatMap(({ key }) => (key.startsWith("welcome:") ? [] : key.split(":")[0])).sort();
    },
    /** Audit lines of a kind, oldest first. */
    auditOf: (kind: string) => db.select().from(auditLines).where(eq(auditLines.kind, kind)).orderBy(auditLines.id),
  };
}

const dayMs = 86_400_000;

/** The people and the time of a test file, whose app starts after its top-level code runs. */
export const shopping = (app: () => TestApp, clock: ReturnType<typeof heldClock>) => ({
  async somebody() {
    const person = await app().person();
    return { ...shopper(app(), person), subject: person.subject };
  },
  async passDays(days: number) {
    clock.advance(days * dayMs);
    await app().sweep();
  },
  /** Otherwise people of earlier tests would renew each time the clock moves. */
  async endRenewals() {
    await app().sweep();
    await app().db.update(sandboxRecords).set({ dueAt: null });
    await app().db.update(subscriptions).set({ wakeAt: null });
  },
});
