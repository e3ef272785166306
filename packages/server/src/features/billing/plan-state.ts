import { type PlanName, rankOf } from "@tintype/contract";
import {
  type Effect,
  endOf,
  type Stop,
  type Subscription,
  type SubscriptionEvent,
  type SubscriptionState,
  transition,
} from "./subscription.ts";

/** A person's subscriptions at a given time: the one that gives them their plan, and the one that comes next. */
export type PlanState = { current: Subscription | undefined; next: Subscription | undefined; plan: PlanName };

const givesPlan: readonly SubscriptionState[] = ["active", "past_due"];
const isTaken = ({ state }: Subscription) => state === "scheduled" || givesPlan.includes(state);
const isPaidAhead = ({ state, paidThrough }: Subscription, now: Date) =>
  state === "active" && paidThrough !== null && paidThrough > now;

export function planStateOf(subscriptions: readonly Subscription[]): PlanState {
  const current = subscriptions.find(({ state }) => givesPlan.includes(state));
  return {
    current,
    next: subscriptions.find(({ state }) => state === "scheduled"),
    plan: current ? planGiven(current, subscriptions) : "hobby",
  };
}

/** Until its first charge succeeds, a plan gives no more than the one before it. */
function planGiven(current: Subscription, subscriptions: readonly Subscription[]): PlanName {
  if (current.paidThrough) return current.plan;
  const earlier = subscriptions.find((one) => endOf(one)?.getTime() === current.startsAt?.getTime());
  return rankOf(current.plan) < rankOf(earlier?.plan ?? "hobby") ? current.plan : (earlier?.plan ?? "hobby");
}

export type PersonEffect = Effect & { subscriptionId: string };
export type PersonChange = { subscriptions: Subscription[]; effects: PersonEffect[] };

/**
 * Applies an event to one of a person's subscriptions, and its consequences to the others: no two ever give a plan at
 * once. Also applies whatever else is due by now.
 */
export function settlePerson(
  subscriptions: readonly Subscription[],
  { targetId, event, now }: { targetId: string; event: SubscriptionEvent; now: Date },
): PersonChange {
  const all = new Map(subscriptions.map((one) => [one.id, one]));
  const effects: PersonEffect[] = [];
  const apply = (id: string, what: SubscriptionEvent) => {
    const before = all.get(id);
    if (!before) return;
    const { subscription, effects: caused } = transition(before, what, now);
    all.set(id, subscription);
    effects.push(...caused.map((effect) => ({ ...effect, subscriptionId: id })));
  };
  for (const id of all.keys()) if (id !== targetId) apply(id, { kind: "time" });

  const before = all.get(targetId);
  const after = before && transition(before, event, now).subscription;
  const others = [...all.values()].filter(({ id }) => id !== targetId);
  const isNew = before && after && before.paidThrough === null && !isTaken(before) && isTaken(after);
  const isTwice = isNew && isBoughtTwice(after, others, now);
  // Stop a duplicate first, so that its payment is refunded.
  if (isTwice) apply(targetId, { kind: "stop", stop: { ...stopAt(now), reason: "duplicate" } });
  apply(targetId, event);
  if (isNew && !isTwice)
    for (const other of others) apply(other.id, { kind: "stop", stop: stopFor(other, { bought: after, now }) });
  for (const one of all.values()) if (hasLostSuccessor(one, all.values())) apply(one.id, { kind: "resume" });
  return { subscriptions: [...all.values()], effects };
}

/** It starts at once while another one that it does not replace is paid ahead, or it starts next while another already does. */
const isBoughtTwice = (bought: Subscription, others: readonly Subscription[], now: Date): boolean =>
  others.some(
    (other) =>
      other.state === "scheduled" ||
      (bought.state !== "scheduled" && other.id !== bought.replaces && isPaidAhead(other, now)),
  );

const stopAt = (at: Date) => ({ at, endsBy: null, refundsFrom: null });

function stopFor(other: Subscription, { bought, now }: { bought: Subscription; now: Date }): Stop {
  if (other.state === "open") return { ...stopAt(now), reason: "abandoned" };
  const goesOn = bought.state === "scheduled" && isTaken(other);
  if (goesOn) return { ...stopAt(now), reason: "replaced", endsBy: bought.startsAt };
  // Days are counted from the date of the offer.
  const refundsFrom = bought.replaces === other.id ? bought.createdAt : now;
  return { reason: "replaced", at: now, endsBy: now, refundsFrom };
}

/** It was to end when another one starts, which will not happen: it continues. */
function hasLostSuccessor({ stop }: Subscription, all: Iterable<Subscription>): boolean {
  if (stop?.reason !== "replaced" || stop.refundsFrom) return false;
  return ![...all].some((one) => isTaken(one) && one.startsAt?.getTime() === stop.endsBy?.getTime());
}
