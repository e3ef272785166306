import fc from "fast-check";
import { expect, test } from "vitest";
import { type CardBehaviour, readCard, testCards } from "./cards.ts";
import { planEntity, type SandboxSubscription } from "./entities.ts";
import { cancel, changePlan, dueAt, payAtCheckout, type Step, stepTo } from "./lifecycle.ts";
import { makeSubscription, newSubscription } from "./rest.ts";

const at = (text: string) => Date.parse(text) / 1000;
const begin = at("2026-01-31T12:00:00Z");
const day = 86_400;

const plans = [planEntity({ id: "plan_mini", name: "Mini", period: "monthly", amountMinor: 300, currency: "USD" })];
/** As the API creates it: not paid yet. */
const created = ({ totalCount = 120, startAt = undefined as number | undefined } = {}): SandboxSubscription =>
  makeSubscription(
    newSubscription.parse({
      plan_id: "plan_mini",
      total_count: totalCount,
      expire_by: begin + 30 * day,
      ...(startAt === undefined ? {} : { start_at: startAt }),
    }),
    { plans, now: begin },
  );
const paid = (behaviour: CardBehaviour, of = created()): SandboxSubscription => {
  const step = payAtCheckout(of, { card: { behaviour, last4: "1111" }, now: begin });
  if (!step) throw new Error("The checkout was closed.");
  return step.subscription;
};

/** All steps until a given time, each at its own time. */
function stepsUntil(subscription: SandboxSubscription, end: number): Step[] {
  const steps: Step[] = [];
  for (let step = stepTo(subscription, end); step; step = stepTo(step.subscription, end)) {
    steps.push(step);
    if (steps.length > 500) throw new Error("It never comes to rest.");
  }
  return steps;
}
const payments = (steps: readonly Step[]) =>
  steps.flatMap(({ payment }) =>
    payment ? [`${new Date(payment.created_at * 1000).toISOString().slice(0, 10)} ${payment.status}`] : [],
  );
const kinds = (steps: readonly Step[]) => steps.flatMap(({ events }) => events.map(({ kind }) => kind));

test("a month from the 31st ends with each month, and comes back to the 31st", () => {
  expect(payments(stepsUntil(paid("succeeds"), at("2026-05-31T12:00:00Z")))).toEqual([
    "2026-02-28 captured",
    "2026-03-31 captured",
    "2026-04-30 captured",
    "2026-05-31 captured",
  ]);
});

test("a renewal that fails is tried after one, two and three days more, and then the subscription is halted", () => {
  const steps = stepsUntil(paid("renewal-fails"), at("2027-01-31T12:00:00Z"));
  expect(payments(steps)).toEqual(["2026-02-28 failed", "2026-03-01 failed", "2026-03-03 failed", "2026-03-06 failed"]);
  expect(kinds(steps)).toEqual([
    ...Array.from({ length: 3 }, () => ["payment.failed", "subscription.pending"]).flat(),
    ...["payment.failed", "subscription.halted"],
  ]);
  // One invoice, however many attempts.
  expect(new Set(steps.map(({ invoice }) => invoice?.id)).size).toBe(1);
  expect(dueAt(steps.at(-1)?.subscription ?? created())).toBeNull();
});

test("a renewal that fails once goes on with its period as it was", () => {
  const steps = stepsUntil(paid("renewal-fails-once"), at("2026-04-01T00:00:00Z"));
  expect(payments(steps)).toEqual(["2026-02-28 failed", "2026-03-01 captured", "2026-03-31 failed"]);
  expect(kinds(steps)).toContain("subscription.activated");
  expect(steps[1]?.subscription.entity).toMatchObject({
    status: "active",
    current_start: at("2026-02-28T12:00:00Z"),
    current_end: at("2026-03-31T12:00:00Z"),
  });
});

test("a declined card leaves the checkout open, another one pays the same invoice's amount, and a third finds it closed", () => {
  const declined = payAtCheckout(created(), { card: { behaviour: "declined", last4: "0002" }, now: begin });
  expect(declined).toMatchObject({
    payment: { status: "failed", amount: 300 },
    subscription: { entity: { status: "created" }, card: null },
  });
  const card = { behaviour: "succeeds", last4: "1111" } as const;
  const second = payAtCheckout(declined?.subscription ?? created(), { card, now: begin + 60 });
  expect(second).toMatchObject({
    payment: { status: "captured", amount: 300 },
    invoice: { status: "paid", amount_due: 0 },
    subscription: { entity: { status: "active", paid_count: 1, auth_attempts: 2 } },
  });
  expect(payAtCheckout(second?.subscription ?? created(), { card, now: begin + 120 })).toBeUndefined();
});

test("a subscription that starts later has its card checked, and the check is returned", () => {
  const startAt = begin + 10 * day;
  const step = payAtCheckout(created({ startAt }), { card: { behaviour: "succeeds", last4: "1111" }, now: begin });
  expect(step).toMatchObject({
    payment: { status: "refunded", amount: 500, amount_refunded: 500, invoice_id: null },
    subscription: { entity: { status: "authenticated", charge_at: startAt, paid_count: 0 } },
  });
  const [first] = stepsUntil(step?.subscription ?? created(), startAt);
  expect(first).toMatchObject({
    payment: { status: "captured", amount: 300 },
    subscription: { entity: { status: "active", current_start: startAt } },
  });
});

test("what nobody pays for expires, and has no payment", () => {
  const steps = stepsUntil(created(), begin + 31 * day);
  expect(steps.at(-1)?.subscription.entity).toMatchObject({ status: "expired", ended_at: begin + 30 * day });
  expect(payments(steps)).toEqual([]);
});

test("cancelled at the end of its cycle it is paid no more, and cannot be cancelled again after it", () => {
  const step = cancel(paid("succeeds"), { atCycleEnd: true, now: begin + day });
  if (typeof step === "string") throw new Error(step);
  expect(step.subscription.entity.status).toBe("active");
  const steps = stepsUntil(step.subscription, begin + 400 * day);
  expect(payments(steps)).toEqual([]);
  expect(kinds(steps)).toEqual(["subscription.cancelled"]);
  expect(cancel(steps.at(-1)?.subscription ?? created(), { atCycleEnd: false, now: begin + 400 * day })).toBe(
    "Subscription is not cancellable in cancelled status.",
  );
});

test("another plan is charged from the next cycle on", () => {
  const newPlan = { id: "plan_more", amount: 500, currency: "USD", period: "monthly" } as const;
  const step = changePlan(paid("succeeds"), { newPlan, now: begin + day });
  if (typeof step === "string") throw new Error(step);
  expect(step.subscription.entity).toMatchObject({ plan_id: "plan_mini", has_scheduled_changes: true });
  const [next, ...others] = stepsUntil(step.subscription, at("2026-04-30T12:00:00Z"));
  expect(next).toMatchObject({
    payment: { amount: 500 },
    subscription: { entity: { plan_id: "plan_more", has_scheduled_changes: false } },
  });
  expect(others.map(({ payment }) => payment?.amount)).toEqual([500, 500]);
  const refused = { ...newPlan, currency: "EUR" };
  expect(changePlan(paid("succeeds"), { newPlan: refused, now: begin })).toContain("currency");
  expect(changePlan(paid("keeps-plan"), { newPlan, now: begin })).toContain("payment method");
  expect(changePlan(created(), { newPlan, now: begin })).toContain("created state");
});

test("whenever it is looked at: each cycle has one invoice, none is paid twice, and the count of payments is true", () => {
  fc.assert(
    fc.property(
      fc.constantFrom<CardBehaviour>("succeeds", "keeps-plan", "renewal-fails-once", "renewal-fails"),
      fc.integer({ min: 1, max: 30 }),
      fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 20 }),
      (behaviour, totalCount, waits) => {
        let subscription = paid(behaviour, created({ totalCount }));
        const steps: Step[] = [];
        let now = begin;
        for (const days of waits) {
          now += days * day;
          const more = stepsUntil(subscription, now);
          steps.push(...more);
          subscription = more.at(-1)?.subscription ?? subscription;
          const due = dueAt(subscription);
          expect(due === null || due > now).toBe(true);
        }
        const captured = steps.flatMap(({ payment }) => (payment?.status === "captured" ? [payment] : []));
        expect(new Set(captured.map(({ invoice_id }) => invoice_id)).size).toBe(captured.length);
        const starts = steps.flatMap(({ invoice }) => (invoice?.status === "paid" ? [invoice.billing_start] : []));
        expect(new Set(starts).size).toBe(starts.length);
        const { paid_count, remaining_count, total_count } = subscription.entity;
        expect(paid_count).toBe(captured.length + 1);
        expect(paid_count + remaining_count).toBe(total_count);
        expect(subscription.entity.status === "completed").toBe(paid_count === total_count);
      },
    ),
    { numRuns: 200 },
  );
});

test("the cards of the test checkout pass Luhn's check, and every other number is refused with a sentence", () => {
  const now = new Date("2026-06-15T00:00:00Z");
  const card = { expiry: "06/26", code: "123" };
  for (const { number, behaviour } of testCards)
    expect(readCard({ ...card, number: number.replace(/(.{4})/g, "$1 ") }, now)).toEqual({
      behaviour,
      last4: number.slice(-4),
    });
  const number = "4111111111111111";
  const wrong = (change: Partial<{ number: string; expiry: string; code: string }>) =>
    readCard({ ...card, number, ...change }, now);
  expect(wrong({ number: "4111111111111112" })).toEqual({ wrong: "The card number is invalid." });
  expect(wrong({ number: "5555555555554444" })).toEqual({
    wrong: "Only the test cards below work here. Never enter a real card.",
  });
  expect(wrong({ expiry: "05/26" })).toEqual({ wrong: "The card has expired." });
  expect(wrong({ expiry: "13/26" })).toEqual({ wrong: "The expiry date is a month and a year, like 08/31." });
  expect(wrong({ code: "12" })).toEqual({ wrong: "The security code has three digits." });
});
