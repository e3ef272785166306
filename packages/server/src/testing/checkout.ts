import type { Caller, TestApp } from "./harness.ts";

/** The sandbox's test cards. */
export const cards = {
  good: "4111 1111 1111 1111",
  declined: "4000 0000 0000 0002",
  renewalFails: "4000 0000 0000 0341",
  renewalFailsOnce: "4000 0000 0000 0259",
} as const;

export type Answer<Body> = { status: number; body: Body & { detail?: string } };
export type Signed = { razorpay_payment_id: string; razorpay_subscription_id: string; razorpay_signature: string };

/** What a browser does to buy a plan, call by call. */
export function shopper(app: TestApp, person: Caller) {
  const json = async <Body>(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<Body>> => {
    const answer = await person.call(path, {
      ...(body === undefined ? {} : { json: body }),
      ...(headers ? { headers } : {}),
    });
    return { status: answer.status, body: (await answer.json().catch(() => ({}))) as Answer<Body>["body"] }; // what the test expects of it
  };
  const session = (plan: string, cycle = "monthly", headers?: Record<string, string>) =>
    json<{ subscription_id: string }>("/api/create-payment-session", { plan_id: plan, billing_cycle: cycle }, headers);
  const pay = async (subscriptionId: string, card: string = cards.good) => {
    const { key } = (await json<{ key: string }>("/api/razorpay-key")).body;
    const answer = await fetch(`${app.baseUrl}/sandbox/razorpay/checkout/pay`, {
      method: "POST",
      headers: { "content-type": "application/json" },
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
  const upgrade = (plan: string, signed: Partial<Signed> = {}, cycle = "monthly") =>
    json<{ plan: string; next_plan: string | null; next_billing_date: string | null }>("/api/upgrade-plan", {
      plan,
      billing_cycle: cycle,
      payment_status: "success",
      ...signed,
    });
  return {
    json,
    session,
    pay,
    upgrade,
    /** All of it: session, checkout, upgrade. Answers the subscription's id. */
    async buy(plan: string, { cycle = "monthly", card = cards.good as string, headers = {} } = {}) {
      const { subscription_id } = (await session(plan, cycle, headers)).body;
      const paid = await pay(subscription_id, card);
      const upgraded = await upgrade(plan, paid.body, cycle);
      return { subscriptionId: subscription_id, signed: paid.body, upgraded };
    },
    cancel: (subscriptionId: string) => json<{ cancel_at: string }>(`/api/cancel-subscription/${subscriptionId}`, {}),
    info: async () =>
      (
        await json<{
          plan: string;
          next_plan: string | null;
          next_billing_date: string | null;
          can_switch: boolean;
          subscription_id: string | null;
          subscription_status: string | null;
          billing_cycle: string | null;
          renewal_date: string | null;
          limit: number;
          service_count: number;
        }>("/api/user-info")
      ).body,
    transactions: async (query = "") =>
      (
        await json<{
          transactions: {
            id: string;
            plan: string;
            amount_minor: number;
            currency: string;
            status: string;
            at: string;
          }[];
          next: string | null;
        }>(`/api/transactions${query}`)
      ).body,
  };
}
