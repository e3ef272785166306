import { type ChangeMode, type PaidPlanName, paidPlanNames, priceOfPlan } from "@tintype/contract";
import {
  type CardBehaviour,
  cancel,
  dueAt,
  payAtCheckout,
  type SandboxSubscription,
  type Step,
  stepTo,
} from "@tintype/payment-sandbox";
import fc from "fast-check";
import { expect, test } from "vitest";
import { planStateOf, settlePerson } from "./plan-state.ts";
import { keepableUntil, nextPoll, type Subscription, type SubscriptionEvent, stopToSend } from "./subscription.ts";
import { termsOf } from "./terms.ts";
import { type PaidPeriod, unusedOf } from "./unused.ts";

// One person's whole history with us and the gateway: their clicks, the charges to their card, the mails they get.
const hour = 3_600_000;
const day = 24 * hour;
const seconds = (at: Date) => Math.floor(at.getTime() / 1000);

type Action =
  | { do: "buy"; plan: PaidPlanName; mode: ChangeMode }
  | { do: "pay"; offer: number; card: CardBehaviour }
  | { do: "cancel" }
  | { do: "keep" }
  | { do: "wait"; hours: number; isUp: boolean }
  | { do: "repeat"; what: number };

const actionsOf = (more: { cards: CardBehaviour[]; isAlwaysUp: boolean; cancels: boolean }) =>
  fc.array(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          do: fc.constant("buy" as const),
          plan: fc.constantFrom(...paidPlanNames),
          mode: fc.constantFrom<ChangeMode>("now", "at_renewal"),
        }),
      },
      {
        weight: 5,
        arbitrary: fc.record({
          do: fc.constant("pay" as const),
          offer: fc.nat(5),
          card: fc.constantFrom(...more.cards),
        }),
      },
      { weight: more.cancels ? 2 : 0, arbitrary: fc.constant({ do: "cancel" as const }) },
      { weight: 2, arbitrary: fc.constant({ do: "keep" as const }) },
      {
        weight: 4,
        arbitrary: fc.record({
          do: fc.constant("wait" as const),
          hours: fc.constantFrom(1, 20, 200, 743, 744, 800),
          isUp: more.isAlwaysUp ? fc.constant(true) : fc.boolean(),
        }),
      },
      {
        weight: more.isAlwaysUp ? 0 : 2,
        arbitrary: fc.record({ do: fc.constant("repeat" as const), what: fc.nat(30) }),
      },
    ),
    { minLength: 4, maxLength: 25, size: "max" },
  ) as fc.Arbitrary<Action[]>; // each member is one

type Paper = PaidPeriod & { at: Date; subscriptionId: string };

/** A person, the gateway's side and ours. `act` performs an action and checks the invariants. */
function beginLife() {
  let now = new Date("2026-03-10T12:00:00Z");
  let ours: Subscription[] = [];
  const gateway = new Map<string, SandboxSubscription>();
  const papers = new Map<string, Paper>();
  const counted = new Set<string>();
  const returned = new Map<string, number>();
  const events: { id: string; event: SubscriptionEvent }[] = [];

  const happen = (targetId: string, event: SubscriptionEvent) => {
    const { subscriptions, effects } = settlePerson(ours, { targetId, event, now });
    ours = subscriptions;
    for (const effect of effects) {
      if (effect.kind === "began" || effect.kind === "renewed") {
        expect(counted.has(effect.paymentId), "counted twice").toBe(false);
        counted.add(effect.paymentId);
      }
      if (effect.kind === "refund") refund(effect.paymentId, (paper) => paper.amountMinor);
      const from = ours.find(({ id }) => id === effect.subscriptionId)?.stop?.refundsFrom;
      if (effect.kind === "refund-unused" && from)
        for (const paper of papers.values())
          if (paper.subscriptionId === effect.subscriptionId && counted.has(paper.id))
            refund(paper.id, () => unusedOf(paper, from).amountMinor);
    }
    const giving = ours.filter(({ state }) => state === "active" || state === "past_due");
    expect(giving.length, "two plans").toBeLessThanOrEqual(1);
    expect(ours.filter(({ state }) => state === "scheduled").length, "two to come").toBeLessThanOrEqual(1);
  };
  const refund = (id: string, amountOf: (paper: Paper) => number) => {
    const paper = papers.get(id);
    if (!paper || returned.has(id) || amountOf(paper) === 0) return;
    returned.set(id, amountOf(paper));
    papers.set(id, { ...paper, refund: "done" });
  };
  const take = (id: string, step: Step | undefined) => {
    if (!step) return false;
    gateway.set(id, step.subscription);
    const { payment, invoice } = step;
    if (payment?.status === "captured" && invoice?.billing_start && invoice.billing_end)
      papers.set(payment.id, {
        id: payment.id,
        subscriptionId: id,
        at: new Date(payment.created_at * 1000),
        amountMinor: payment.amount,
        currency: "USD",
        status: "captured",
        refund: "none",
        coversFrom: new Date(invoice.billing_start * 1000),
        coversUntil: new Date(invoice.billing_end * 1000),
      });
    return true;
  };
  /** Polls the gateway, and sends it what is due. */
  const poll = (id: string) => {
    const there = gateway.get(id);
    if (!there) return;
    const payments = [...papers.values()].flatMap(({ subscriptionId, id: paymentId, at, coversUntil }) =>
      subscriptionId === id && coversUntil && !(returned.get(paymentId) === papers.get(paymentId)?.amountMinor)
        ? [{ id: paymentId, at, coversUntil }]
        : [],
    );
    const event: SubscriptionEvent = { kind: "seen", at: now, status: there.entity.status, payments };
    events.push({ id, event });
    happen(id, event);
    for (const one of ours) apply(one);
  };
  const apply = (one: Subscription) => {
    const what = stopToSend(one, now);
    const there = gateway.get(one.id);
    if (!what || !there) return;
    const done = cancel(there, { atCycleEnd: what === "at-end", now: seconds(now) });
    const isDone = typeof done !== "string" ? done : cancel(there, { atCycleEnd: false, now: seconds(now) });
    if (typeof isDone !== "string") take(one.id, isDone);
    happen(one.id, { kind: "stop-sent", sentStop: what });
    happen(one.id, { kind: "seen", at: now, status: gateway.get(one.id)?.entity.status ?? "created", payments: [] });
  };
  const wait = (until: Date, isUp: boolean) => {
    while (now < until) {
      const looks = isUp ? ours.flatMap((one) => nextPoll(one, now) ?? []) : [];
      const steps = [...gateway.values()].flatMap((one) => dueAt(one) ?? []).map((at) => new Date(at * 1000));
      const next = [until, ...looks, ...steps].filter((at) => at > now).toSorted((a, b) => a.getTime() - b.getTime());
      const due = ours.filter((one) => isUp && nextPoll(one, now)?.getTime() === next[0]?.getTime());
      now = next[0] ?? until;
      for (const one of due) poll(one.id);
      for (const id of [...gateway.keys()]) {
        const there = () => gateway.get(id);
        while (take(id, there() && stepTo(there() as SandboxSubscription, seconds(now)))) if (isUp) poll(id);
      }
    }
  };

  const act = (action: Action) => {
    const { current, next } = planStateOf(ours);
    if (action.do === "buy") return buy(action);
    if (action.do === "pay") {
      const open = [...gateway.values()].filter(({ entity }) => entity.status === "created");
      const one = open.at(action.offer % Math.max(1, open.length));
      if (!one) return;
      take(one.entity.id, payAtCheckout(one, { card: { behaviour: action.card, last4: "1111" }, now: seconds(now) }));
      return poll(one.entity.id);
    }
    const stop = { at: now, endsBy: null, refundsFrom: null };
    if (action.do === "cancel") {
      for (const one of [current, next])
        if (one) happen(one.id, { kind: "stop", stop: { ...stop, reason: "cancelled" } });
      for (const one of ours) apply(one);
    }
    if (action.do === "keep" && current?.stop && (keepableUntil(current) ?? now) > now) {
      if (next) happen(next.id, { kind: "stop", stop: { ...stop, reason: "abandoned" } });
      happen(current.id, { kind: "resume" });
      expect(planStateOf(ours).current?.stop).toBeNull();
      for (const one of ours) apply(one);
    }
    const again = action.do === "repeat" ? events.at(action.what) : undefined;
    if (again) happen(again.id, again.event);
    if (action.do === "wait") wait(new Date(now.getTime() + action.hours * hour), action.isUp);
  };
  const buy = ({ plan, mode }: { plan: PaidPlanName; mode: ChangeMode }) => {
    const wanted = { plan, cycle: "monthly" as const, now };
    let terms: ReturnType<typeof termsOf>;
    try {
      terms = termsOf(ours, { ...wanted, mode: planStateOf(ours).current ? mode : undefined });
    } catch {
      return;
    }
    const { startsAt, replaces, paidBy } = terms;
    const id = `bill_${ours.length + 1}`;
    const expiresAt = new Date(Math.min(now.getTime() + day, paidBy?.getTime() ?? Number.POSITIVE_INFINITY));
    const amountMinor = priceOfPlan({ plan, cycle: "monthly", currency: "USD" });
    ours = [
      ...ours,
      {
        id,
        accountId: "acc_1",
        gatewayId: id,
        gatewayPlanId: "plan_1",
        plan,
        cycle: "monthly",
        currency: "USD",
        amountMinor,
        formerAmountMinor: null,
        move: null,
        state: "open",
        startsAt,
        replaces: replaces?.id ?? null,
        paidThrough: null,
        gatewayStatus: "created",
        seenAt: null,
        stop: null,
        sentStop: "none",
        createdAt: now,
        expiresAt,
      },
    ];
    gateway.set(id, {
      entity: {
        ...({} as SandboxSubscription["entity"]), // only what life.ts reads
        id,
        status: "created",
        start_at: startsAt && seconds(startsAt),
        expire_by: seconds(expiresAt),
        paid_count: 0,
        total_count: 120,
        auth_attempts: 0,
        current_end: null,
        charge_at: startsAt && seconds(startsAt),
      },
      plan: { amount: amountMinor, currency: "USD", period: "monthly" },
      startsLater: startsAt !== null,
      card: null,
      cancelsAtEnd: false,
      cycles: 0,
      attempts: 0,
      retryAt: null,
      openInvoice: null,
    });
  };
  return {
    act,
    plan: () => planStateOf(ours).plan,
    hasCurrent: () => planStateOf(ours).current !== undefined,
    /** The server stays up, and every subscription reaches its end. */
    end() {
      for (const { id } of ours) poll(id);
      for (const { id } of ours) poll(id);
      return { papers: [...papers.values()], counted, returned };
    },
  };
}

test("whatever is clicked, whenever the server is down, whatever comes late or twice: one plan, and every payment counts or goes back", () => {
  const actions = actionsOf({ cards: ["succeeds", "succeeds", "renewal-fails"], isAlwaysUp: false, cancels: true });
  let upgrades = 0;
  fc.assert(
    fc.property(actions, (steps) => {
      const life = beginLife();
      for (const step of steps) life.act(step);
      const { papers, counted, returned } = life.end();
      for (const { id, amountMinor } of papers) {
        const back = returned.get(id) ?? 0;
        if (counted.has(id) && back > 0) upgrades++;
        expect(counted.has(id) || back === amountMinor, `${id} neither counts nor goes back`).toBe(true);
        expect(back).toBeLessThanOrEqual(amountMinor);
      }
    }),
    { numRuns: 1000 },
  );
  expect(upgrades).toBeGreaterThan(10);
});

test("with a good card and no cancellation, a person with a plan is never a day without one", () => {
  const actions = actionsOf({ cards: ["succeeds"], isAlwaysUp: true, cancels: false });
  let lives = 0;
  fc.assert(
    fc.property(actions, (steps) => {
      const life = beginLife();
      let hasBegun = false;
      for (const step of steps) {
        life.act(step);
        if (hasBegun) expect(life.plan(), JSON.stringify(step)).not.toBe("hobby");
        hasBegun ||= life.hasCurrent();
      }
      if (hasBegun) lives++;
    }),
    { numRuns: 500 },
  );
  expect(lives).toBeGreaterThan(200);
});
