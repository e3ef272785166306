import type { PlanName } from "@tintype/contract";
import {
  type Effect,
  type Subscription,
  type SubscriptionEvent,
  type SubscriptionState,
  transition,
} from "./subscription.ts";

/** What a person has: the subscription that gives them their plan, and one that is paid and comes next. */
export type Standing = { current: Subscription | undefined; next: Subscription | undefined };

const givesPlan: readonly SubscriptionState[] = ["active", "past_due"];
const isPaidAhead = (subscription: Subscription, now: Date) =>
  subscription.state === "scheduled" ||
  (subscription.state === "active" && subscription.paidThrough !== null && subscription.paidThrough > now);

export function standingOf(subscriptions: readonly Subscription[]): Standing {
  return {
    current: subscriptions.find(({ state }) => givesPlan.includes(state)),
    next: subscriptions.find(({ state }) => state === "scheduled"),
  };
}

export const planOf = ({ current }: Standing): PlanName => current?.plan ?? "hobby";

/** The one whose end is the end of it all. */
export const lastOf = ({ current, next }: Standing): Subscription | undefined => next ?? current;

export type PersonEffect = Effect & { subscriptionId: string };
export type PersonChange = { subscriptions: Subscription[]; effects: PersonEffect[] };

/**
 * An event on one of a person's subscriptions, and what follows for the others: never do two give a plan.
 * Whatever else is due by now happens too.
 */
export function settlePerson(
  subscriptions: readonly Subscription[],
  { targetId, event, now }: { targetId: string; event: SubscriptionEvent; now: Date },
): PersonChange {
  const all = new Map(subscriptions.map((one) => [one.id, one]));
  const effects: PersonEffect[] = [];
  const apply = (id: string, what: SubscriptionEvent) => {
    const before = all.get(id);
    if (!before) return [];
    const { subscription, effects: caused } = transition(before, what, now);
    all.set(id, subscription);
    return caused.map((effect) => ({ ...effect, subscriptionId: id }));
  };
  for (const id of all.keys()) if (id !== targetId) effects.push(...apply(id, { kind: "time" }));

  const before = all.get(targetId);
  const caused = before ? transition(before, event, now) : undefined;
  const others = [...all.values()].filter(({ id, state }) => id !== targetId && state !== "ended");
  if (before && caused && before.paidThrough === null && caused.subscription.paidThrough !== null) {
    if (isBoughtTwice(caused.subscription, others, now)) {
      // The money of the later one goes back: both its payments are unwelcome from the start.
      effects.push(...apply(targetId, { kind: "stop", stop: { reason: "duplicate", at: now, endsBy: null } }));
      effects.push(...apply(targetId, event));
      return { subscriptions: [...all.values()], effects };
    }
    effects.push(...apply(targetId, event));
    for (const other of others)
      effects.push(
        ...apply(other.id, { kind: "stop", stop: stopFor(other, { since: caused.subscription.startsAt, now }) }),
      );
    return { subscriptions: [...all.values()], effects };
  }
  effects.push(...apply(targetId, event));
  return { subscriptions: [...all.values()], effects };
}

/** Sold to begin at once while another is paid ahead, or to come next while another already does. */
const isBoughtTwice = ({ startsAt }: Subscription, others: readonly Subscription[], now: Date): boolean =>
  others.some((other) => (startsAt === null ? isPaidAhead(other, now) : other.state === "scheduled"));

function stopFor({ state }: Subscription, { since, now }: { since: Date | null; now: Date }) {
  if (state === "open") return { reason: "abandoned" as const, at: now, endsBy: null };
  return { reason: "replaced" as const, at: now, endsBy: since ?? now };
}
