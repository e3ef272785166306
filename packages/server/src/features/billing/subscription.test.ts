import {
  type CardBehaviour,
  cancel,
  payAtCheckout,
  type SandboxSubscription,
  type Step,
  stepTo,
} from "@tintype/payment-sandbox";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { gatewayStatuses } from "../../platform/payments/gateway.ts";
import { planStateOf, settlePerson } from "./plan-state.ts";
import {
  keepableUntil,
  nextPoll,
  type Payment,
  type Subscription,
  type SubscriptionEvent,
  type SubscriptionState,
  stateOf,
  stopToSend,
  transition,
} from "./subscription.ts";

const day = 86_400_000;
const start = new Date("2026-03-10T12:00:00Z");
const on = (days: number) => new Date(start.getTime() + days * day);

const sold = (more: Partial<Subscription> = {}): Subscription => ({
  id: "bill_1",
  accountId: "acc_1",
  gatewayId: "sub_1",
  gatewayPlanId: "plan_1",
  plan: "plus",
  cycle: "monthly",
  currency: "USD",
  amountMinor: 500,
  formerAmountMinor: null,
  move: null,
  state: "open",
  startsAt: null,
  replaces: null,
  paidThrough: null,
  gatewayStatus: "created",
  seenAt: null,
  stop: null,
  sentStop: "none",
  createdAt: start,
  expiresAt: on(1),
  ...more,
});
const seen = (status: Subscription["gatewayStatus"], at: Date, payments: Payment[] = []): SubscriptionEvent => ({
  kind: "seen",
  at,
  status,
  payments,
});
const paid = (id: string, from: number, days = 30): Payment => ({ id, at: on(from), coversUntil: on(from + days) });
const stop = (reason: NonNullable<Subscription["stop"]>["reason"], at: Date): SubscriptionEvent => ({
  kind: "stop",
  stop: { reason, at, endsBy: null, refundsFrom: null },
});
/** Applies events, each at its time. Returns every state and every effect. */
const live = (subscription: Subscription, steps: readonly (readonly [number, SubscriptionEvent])[]) => {
  let current = subscription;
  const states: SubscriptionState[] = [];
  const effects: string[] = [];
  for (const [days, event] of steps) {
    const change = transition(current, event, on(days));
    current = change.subscription;
    states.push(current.state);
    effects.push(...change.effects.map(({ kind }) => kind));
  }
  return { subscription: current, states, effects };
};
const first = [0, seen("active", on(0), [paid("a", 0)])] as const;

describe("the table of README.md", () => {
  test("paid, renewed", () => {
    const { states, effects, subscription } = live(sold(), [
      first,
      [31, seen("active", on(31), [paid("a", 0), paid("b", 30)])],
    ]);
    expect(states).toEqual(["active", "active"]);
    expect(effects).toEqual(["began", "renewed"]);
    expect(subscription.paidThrough).toEqual(on(60));
  });
  test("a charge that fails keeps the plan, and recovers", () => {
    const { states, effects } = live(sold(), [
      first,
      [30, seen("pending", on(30), [paid("a", 0)])],
      [31, seen("active", on(31), [paid("a", 0), paid("b", 30)])],
    ]);
    expect(states).toEqual(["active", "past_due", "active"]);
    expect(effects).toEqual(["began", "charge-failed", "renewed"]);
  });
  test("a charge that goes on failing halts", () => {
    const { states, effects } = live(sold(), [
      first,
      [30, seen("pending", on(30))],
      [36, seen("halted", on(36))],
      [40, seen("active", on(40), [paid("b", 40)])],
    ]);
    expect(states).toEqual(["active", "past_due", "halted", "active"]);
    expect(effects).toEqual(["began", "charge-failed", "halted", "renewed"]);
  });
  test("the gateway's word alone keeps no plan beyond a fortnight without money", () => {
    const { states } = live(sold(), [first, [44, seen("active", on(44))], [46, seen("active", on(46))]]);
    expect(states).toEqual(["active", "active", "halted"]);
  });
  test("cancelled, it stays until what is paid for is over", () => {
    const { states, effects } = live(sold(), [
      first,
      [10, stop("cancelled", on(10))],
      [29, { kind: "time" }],
      [30, { kind: "time" }],
    ]);
    expect(states).toEqual(["active", "active", "active", "ended"]);
    expect(effects).toEqual(["began", "stopped", "ended"]);
  });
  test("a charge after the cancellation goes back and prolongs nothing", () => {
    const { states, effects, subscription } = live(sold(), [
      first,
      [10, stop("cancelled", on(10))],
      [30, seen("active", on(30), [paid("a", 0), paid("b", 30)])],
    ]);
    expect(states.at(-1)).toBe("ended");
    expect(effects).toContain("refund");
    expect(subscription.paidThrough).toEqual(on(30));
  });
  test("a charge from before the cancellation, learnt of after it, still counts", () => {
    const { states, subscription } = live(sold(), [
      first,
      [31, stop("cancelled", on(31))],
      [32, seen("active", on(32), [paid("a", 0), paid("b", 30)])],
    ]);
    expect(states.at(-1)).toBe("active");
    expect(subscription.paidThrough).toEqual(on(60));
  });
  test("cancelled at the gateway by somebody else, what is paid for stays", () => {
    const { states } = live(sold(), [first, [5, seen("cancelled", on(5))], [31, { kind: "time" }]]);
    expect(states).toEqual(["active", "active", "ended"]);
  });
  test("paused at the gateway, what is paid for stays, and nothing after it", () => {
    const { states } = live(sold(), [first, [5, seen("paused", on(5))], [31, { kind: "time" }]]);
    expect(states).toEqual(["active", "active", "halted"]);
  });
  test("sold for later, nothing is paid until it begins", () => {
    const { states, effects, subscription } = live(sold({ startsAt: on(20) }), [
      [0, seen("created", on(0))],
      [1, seen("authenticated", on(1))],
      [20, { kind: "time" }],
      [20, seen("active", on(20), [paid("a", 20)])],
      [51, seen("active", on(51), [paid("b", 50)])],
    ]);
    expect(states).toEqual(["open", "scheduled", "active", "active", "active"]);
    expect(effects).toEqual(["scheduled", "started", "began", "renewed"]);
    expect(subscription.paidThrough).toEqual(on(80));
  });
  test("a first charge that fails is tried again, and given up", () => {
    const { states, effects } = live(sold({ startsAt: on(20) }), [
      [1, seen("authenticated", on(1))],
      [20, seen("pending", on(20))],
      [24, seen("halted", on(24))],
      [25, seen("active", on(25), [paid("a", 25)])],
    ]);
    expect(states).toEqual(["scheduled", "past_due", "halted", "active"]);
    expect(effects).toEqual(["scheduled", "charge-failed", "halted", "began"]);
  });
  test("no money for a fortnight after the day it began: it is given up, whatever the gateway says", () => {
    const { states } = live(sold({ startsAt: on(20) }), [
      [1, seen("authenticated", on(1))],
      [34, seen("active", on(34))],
      [36, seen("active", on(36))],
    ]);
    expect(states).toEqual(["scheduled", "active", "halted"]);
  });
  test("the card's authorisation is withdrawn before it begins: nothing was", () => {
    const { states, effects } = live(sold({ startsAt: on(20) }), [
      [1, seen("authenticated", on(1))],
      [2, seen("cancelled", on(2))],
    ]);
    expect(states).toEqual(["scheduled", "ended"]);
    expect(effects).toEqual(["scheduled", "ended"]);
  });
  test("a cancellation is taken back, until the gateway has to be told", () => {
    const { states, effects, subscription } = live(sold(), [
      first,
      [10, stop("cancelled", on(10))],
      [11, { kind: "resume" }],
      [31, seen("active", on(31), [paid("a", 0), paid("b", 30)])],
    ]);
    expect(states).toEqual(["active", "active", "active", "active"]);
    expect(effects).toEqual(["began", "stopped", "resumed", "renewed"]);
    expect(subscription.stop).toBeNull();
    const late = live(sold(), [first, [10, stop("cancelled", on(10))], [29.99, { kind: "resume" }]]);
    expect(late.effects).toEqual(["began", "stopped"]);
    expect(late.subscription.stop?.reason).toBe("cancelled");
  });
  test("replaced within a period, it ends at once, and the price of its unused days goes back", () => {
    const replaced = { reason: "replaced", at: on(10), endsBy: on(10), refundsFrom: on(9) } as const;
    for (const earlier of [[], [[5, stop("cancelled", on(5))] as const]]) {
      const { states, effects } = live(sold(), [first, ...earlier, [10, { kind: "stop", stop: replaced }]]);
      expect(states.at(-1)).toBe("ended");
      expect(effects.slice(-3)).toEqual(["stopped", "refund-unused", "ended"]);
    }
  });
  test("a charge from before it was replaced, learnt of after it, goes back by its unused days", () => {
    const replaced = { reason: "replaced", at: on(31), endsBy: on(31), refundsFrom: on(31) } as const;
    const { states, effects } = live(sold(), [
      first,
      [31, { kind: "stop", stop: replaced }],
      [32, seen("cancelled", on(32), [paid("a", 0), paid("b", 30)])],
    ]);
    expect(states.at(-1)).toBe("ended");
    expect(effects.at(-1)).toBe("refund-unused");
  });
  test.each(["expired", "cancelled", "completed"] as const)("never paid and %s: nothing was", (status) => {
    expect(live(sold(), [[2, seen(status, on(2))]])).toMatchObject({ states: ["ended"], effects: ["ended"] });
  });
  test("a checkout that is no longer offered: its money goes back", () => {
    const { states, effects } = live(sold(), [
      [1, stop("abandoned", on(1))],
      [2, seen("active", on(2), [paid("a", 1)])],
    ]);
    expect(states).toEqual(["ended", "ended"]);
    expect(effects).toEqual(["stopped", "ended", "refund"]);
  });
});

test("the state and the time decide what the gateway has to be told, until it was told", () => {
  const cancelled = live(sold(), [first, [1, stop("cancelled", on(1))]]).subscription;
  expect(stopToSend(cancelled, on(1))).toBeUndefined();
  expect(nextPoll(cancelled, on(29.5))).toEqual(new Date(on(30).getTime() - 3_600_000));
  const lastHour = new Date(on(30).getTime() - 3_600_000);
  expect(keepableUntil(cancelled)?.getTime()).toBeLessThan(lastHour.getTime());
  expect(stopToSend(cancelled, lastHour)).toBe("at-end");
  const sent = transition(cancelled, { kind: "stop-sent", sentStop: "at-end" }, lastHour).subscription;
  expect(stopToSend(sent, lastHour)).toBeUndefined();
  expect(keepableUntil(sent)).toBeNull();
  // It should have ended by itself. If the gateway does not show that, the stop is sent once more.
  expect(stopToSend(transition(sent, { kind: "time" }, on(30)).subscription, on(30))).toBe("now");
  expect(stopToSend(transition(sent, seen("cancelled", on(30)), on(30)).subscription, on(30))).toBeUndefined();
  const later = sold({ startsAt: on(20), gatewayStatus: "authenticated", state: "scheduled" });
  const abandoned = transition(later, stop("cancelled", on(1)), on(1)).subscription;
  expect(abandoned).toMatchObject({ state: "ended", stop: { reason: "abandoned" } });
  expect(stopToSend(abandoned, on(1))).toBe("now");
});

/** A life in the sandbox: what was observed, and when. */
function sandboxLife({ card, gaps, cancelAfter }: { card: CardBehaviour; gaps: number[]; cancelAfter: number | null }) {
  const seconds = (at: Date) => at.getTime() / 1000;
  let gateway: SandboxSubscription = {
    entity: {
      ...({} as SandboxSubscription["entity"]), // only what lifecycle.ts reads
      id: "sub_1",
      status: "created",
      start_at: null,
      expire_by: seconds(on(1)),
      paid_count: 0,
      total_count: 12,
      auth_attempts: 0,
      current_end: null,
      charge_at: null,
    },
    plan: { amount: 500, currency: "USD", period: "monthly" },
    startsLater: false,
    card: null,
    cancelsAtEnd: false,
    cycles: 0,
    attempts: 0,
    retryAt: null,
    openInvoice: null,
  };
  const payments: Payment[] = [];
  const take = (step: Step | undefined) => {
    if (!step) return false;
    gateway = step.subscription;
    const { payment, invoice } = step;
    if (payment?.status === "captured" && invoice?.billing_end)
      payments.push({
        id: payment.id,
        at: new Date(payment.created_at * 1000),
        coversUntil: new Date(invoice.billing_end * 1000),
      });
    return true;
  };
  const events: { at: Date; event: SubscriptionEvent }[] = [];
  let now = start;
  take(payAtCheckout(gateway, { card: { behaviour: card, last4: "1111" }, now: seconds(now) }));
  gaps.forEach((gap, index) => {
    events.push({ at: now, event: seen(gateway.entity.status, now, [...payments]) });
    if (index === cancelAfter) {
      const done = cancel(gateway, { atCycleEnd: true, now: seconds(now) });
      if (typeof done !== "string") take(done);
      events.push({ at: now, event: stop("cancelled", now) });
    }
    now = new Date(now.getTime() + gap * day);
    while (take(stepTo(gateway, seconds(now))));
  });
  events.push({ at: now, event: seen(gateway.entity.status, now, [...payments]) });
  return { events, now, payments };
}
const life = fc
  .record({
    card: fc.constantFrom<CardBehaviour>("succeeds", "renewal-fails", "renewal-fails-once"),
    gaps: fc.array(fc.double({ min: 0.01, max: 40, noNaN: true }), { minLength: 1, maxLength: 8 }),
    cancelAfter: fc.option(fc.nat(7)),
  })
  .map(sandboxLife);

/**
 * A stop is ours: it is requested once something is known to be paid, and recorded at that moment. Nothing that the
 * gateway reported later can precede it.
 */
function inPossibleOrder(events: { at: Date; event: SubscriptionEvent }[]) {
  const index = events.findIndex(({ event }) => event.kind === "stop");
  const asked = events[index];
  if (!asked) return events;
  const early = events.slice(0, index);
  return [
    ...early.filter(({ at }) => at <= asked.at),
    ...events.slice(index),
    ...early.filter(({ at }) => at > asked.at),
  ];
}

test("events doubled, late and shuffled come to the same end as events in order", () => {
  fc.assert(
    fc.property(
      life.chain((one) =>
        fc.record({
          life: fc.constant(one),
          jumbled: fc.shuffledSubarray([...one.events, ...one.events], { minLength: one.events.length * 2 }),
        }),
      ),
      ({ life: { events, now }, jumbled }) => {
        let ordered = sold();
        for (const { at, event } of events) ordered = transition(ordered, event, at).subscription;
        ordered = transition(ordered, { kind: "time" }, now).subscription;
        let shuffled = sold();
        for (const { event } of [...events.slice(0, 1), ...inPossibleOrder(jumbled)])
          shuffled = transition(shuffled, event, now).subscription;
        // A stop that arrives after the end has nothing left to stop.
        if (ordered.state !== "ended") expect(shuffled).toEqual(ordered);
        else expect(shuffled.state).toBe("ended");
        expect(shuffled.paidThrough).toEqual(ordered.paidThrough);
      },
    ),
    { numRuns: 300 },
  );
});

test("the same event again does nothing", () => {
  fc.assert(
    fc.property(life, ({ events }) => {
      let current = sold();
      for (const { at, event } of events) {
        current = transition(current, event, at).subscription;
        const again = transition(current, event, at);
        expect(again.subscription).toEqual(current);
        expect(again.effects.filter(({ kind }) => kind !== "refund")).toEqual([]);
      }
    }),
    { numRuns: 200 },
  );
});

test("every set of facts has a state, and one that gives a plan is paid for, or its first charge is just due", () => {
  const time = fc.option(fc.integer({ min: -400, max: 400 }).map(on));
  fc.assert(
    fc.property(
      fc.record({
        startsAt: time,
        paidThrough: time,
        gatewayStatus: fc.constantFrom(...gatewayStatuses),
        seenAt: time,
        stop: fc.option(
          fc.record({
            reason: fc.constantFrom("cancelled" as const, "replaced" as const, "deleted" as const),
            at: fc.integer({ min: -400, max: 400 }).map(on),
            endsBy: time,
            refundsFrom: time,
          }),
        ),
      }),
      (facts) => {
        const subscription = sold(facts);
        const state = stateOf(subscription, start);
        if (state === "active" || state === "past_due") {
          const { paidThrough, startsAt, seenAt } = subscription;
          const since = paidThrough ?? startsAt;
          const isGrace = since && (!seenAt || seenAt.getTime() < since.getTime() + 15 * day);
          expect(since !== null && ((paidThrough && paidThrough > start) || isGrace)).toBe(true);
        }
        const poll = nextPoll({ ...subscription, state }, start);
        expect(poll === null || poll > start).toBe(true);
        if (state !== "ended") expect(poll).not.toBeNull();
      },
    ),
    { numRuns: 1000 },
  );
});

test("whatever is bought in however many tabs: one plan at a time, and every payment counts or goes back", () => {
  const purchase = fc.record({
    id: fc.constantFrom("bill_1", "bill_2", "bill_3", "bill_4"),
    kind: fc.constantFrom("pay", "pay", "pay", "pending", "halted", "cancel", "time"),
    wait: fc.constantFrom(0, 0, 1, 12, 31),
  });
  const plans = ["mini", "plus", "pro", "mini"] as const;
  fc.assert(
    fc.property(
      fc.array(purchase, { maxLength: 20 }),
      fc.array(fc.option(fc.integer({ min: 1, max: 60 }).map(on)), { minLength: 4, maxLength: 4 }),
      (steps, starts) => {
        let all = plans.map((plan, i) => sold({ id: `bill_${i + 1}`, plan, startsAt: starts[i] ?? null }));
        const taken = new Map<string, Payment[]>();
        const counted = new Set<string>();
        const returned = new Set<string>();
        let now = start;
        let count = 0;
        for (const { id, kind, wait } of steps) {
          now = new Date(now.getTime() + wait * day);
          const before = all.find((one) => one.id === id);
          if (kind === "pay") {
            const from = before?.paidThrough && before.paidThrough > now ? before.paidThrough : now;
            const begin = before?.startsAt && before.startsAt > from ? before.startsAt : from;
            const coversUntil = new Date(begin.getTime() + 30 * day);
            taken.set(id, [...(taken.get(id) ?? []), { id: `pay_${++count}`, at: now, coversUntil }]);
          }
          const status = kind === "pending" || kind === "halted" ? kind : "active";
          const event: SubscriptionEvent =
            kind === "cancel"
              ? stop("cancelled", now)
              : kind === "time"
                ? { kind: "time" }
                : seen(taken.has(id) ? status : "created", now, taken.get(id));
          const { subscriptions, effects } = settlePerson(all, { targetId: id, event, now });
          all = subscriptions;
          for (const effect of effects) {
            if (effect.kind === "began" || effect.kind === "renewed") {
              expect(counted.has(effect.paymentId), "counted twice").toBe(false);
              counted.add(effect.paymentId);
            }
            if (effect.kind === "refund") returned.add(effect.paymentId);
          }
          const giving = all.filter(({ state }) => state === "active" || state === "past_due");
          expect(giving.length).toBeLessThanOrEqual(1);
          expect(all.filter(({ state }) => state === "scheduled").length).toBeLessThanOrEqual(1);
          expect(planStateOf(all).plan).toBe(giving[0]?.plan ?? "hobby");
        }
        for (const payment of [...taken.values()].flat())
          expect(counted.has(payment.id) || returned.has(payment.id), payment.id).toBe(true);
        for (const id of counted) expect(returned.has(id), `${id} counted and returned`).toBe(false);
      },
    ),
    { numRuns: 500 },
  );
});
