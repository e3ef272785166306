import { setTimeout as wait } from "node:timers/promises";
import { type BillingCycle, type ChangeMode, type Currency, DomainError, priceOfPlan } from "@tintype/contract";
import { newId } from "../../platform/id.ts";
import type { PlanOffer } from "../../platform/payments/plan-ids.ts";
import { offerKey, type PlanIds } from "../../platform/payments/plan-ids.ts";
import { lockAccount } from "../accounts/accounts.ts";
import { applyIn } from "./apply.ts";
import { paymentsReplaced, quoteOf } from "./quote.ts";
import { ourNote, type ReconcileDependencies, reconcile, sendStops } from "./reconcile.ts";
import {
  claimCreation,
  findSubscription,
  insertSubscription,
  keepGatewayId,
  releaseClaim,
  subscriptionsOf,
} from "./store.ts";
import type { Subscription } from "./subscription.ts";
import { termsOf } from "./terms.ts";
import { unusedOfAll } from "./unused.ts";

export type CheckoutDependencies = ReconcileDependencies & {
  planIds: PlanIds;
  /** @throws GatewayError, or Error if the gateway's plans do not match what we sell */
  checkPlans(): Promise<void>;
};

type SessionRequest = PlanOffer & {
  accountId: string;
  /** Default: the usual way. */
  mode?: ChangeMode | undefined;
  /** The amounts that the person has seen and accepted. */
  agreed?:
    | {
        chargeTodayMinor: number;
        refundMinor: number;
        priceMinor: number | undefined;
        currency: Currency | undefined;
      }
    | undefined;
};

/** How many times a subscription is charged before it completes: ten years. */
const cycleCounts: Record<BillingCycle, number> = { monthly: 120, yearly: 10 };
/** How long a checkout stays payable. */
const checkoutLifeMs = 24 * 3_600_000;
/** A checkout with less time left is replaced by a new one. */
const minRemainingMs = 3_600_000;
/** How long a caller may take to create a subscription at the gateway before another may try. */
const claimMs = 30_000;
const waitsMs = { step: 150, all: 12_000 };

/**
 * The gateway's subscription to pay at the checkout. Repeated requests for the same thing return the same one.
 * @throws conflict as in `termsOf`, GatewayError
 */
export async function openSession(dependencies: CheckoutDependencies, request: SessionRequest): Promise<string> {
  await dependencies.checkPlans();
  for (const one of await subscriptionsOf(dependencies.db, request.accountId))
    if (one.state !== "ended") await reconcile(dependencies, one);

  const { id, isNew, after } = await dependencies.db.transaction((tx) => chooseOffer(tx, dependencies, request));
  await sendStops(dependencies, after);
  for (let waitedMs = 0; waitedMs < waitsMs.all; waitedMs += waitsMs.step) {
    const found = await findSubscription(dependencies.db, { id });
    if (found?.state !== "open") break;
    if (found.gatewayId) return found.gatewayId;
    if (isNew || (await claimCreation(dependencies.db, id, { now: dependencies.clock.now(), holdMs: claimMs })))
      return make(dependencies, found, { isNew });
    // Another tab is creating it.
    await wait(waitsMs.step);
  }
  throw new DomainError("unavailable", { retryAfterSeconds: 5 });
}

/** The open offer for exactly this, or a new row that the gateway does not know yet. */
async function chooseOffer(
  tx: Parameters<typeof applyIn>[0],
  dependencies: CheckoutDependencies,
  { accountId, mode, agreed, ...offered }: SessionRequest,
): Promise<{ id: string; isNew: boolean; after: Subscription[] }> {
  if (!(await lockAccount(tx, accountId))) throw new DomainError("unauthorized");
  const now = dependencies.clock.now();
  const { plan, cycle, currency } = offered;
  const all = await subscriptionsOf(tx, accountId);
  const terms = termsOf(all, { plan, cycle, mode, now });
  const { startsAt, replaces, paidBy } = terms;
  const payments = await paymentsReplaced(tx, replaces);
  const { charge_today_minor, refund } = quoteOf(terms, { ...offered, payments, at: now });
  const amountMinor = priceOfPlan({ plan, cycle, currency });
  const isAgreed =
    !agreed ||
    (agreed.chargeTodayMinor === charge_today_minor &&
      agreed.refundMinor === (refund?.amount_minor ?? 0) &&
      (agreed.priceMinor ?? amountMinor) === amountMinor &&
      (agreed.currency ?? currency) === currency);
  if (!isAgreed)
    throw new DomainError("conflict", {
      detail: "The amounts have changed. Please check them again.",
    });
  const open = all.find((one) => one.state === "open" && one.plan === plan && one.cycle === cycle);
  const isSame =
    open?.currency === currency &&
    open.amountMinor === amountMinor &&
    open.startsAt?.getTime() === startsAt?.getTime() &&
    open.replaces === (replaces?.id ?? null) &&
    // The refund is computed from the day of the offer.
    unusedOfAll(payments, open.createdAt).amountMinor === unusedOfAll(payments, now).amountMinor &&
    open.expiresAt.getTime() - now.getTime() > minRemainingMs;
  if (open && isSame) return { id: open.id, isNew: false, after: [] };
  const stop = { reason: "abandoned", at: now, endsBy: null, refundsFrom: null } as const;
  const after = open ? await applyIn(tx, dependencies, { subscriptionId: open.id, event: { kind: "stop", stop } }) : [];
  const id = newId("bill");
  const claimedUntil = new Date(now.getTime() + claimMs);
  await insertSubscription(tx, claimedUntil, {
    id,
    accountId,
    gatewayId: null,
    gatewayPlanId: dependencies.planIds.get(offerKey({ plan, cycle, currency })) ?? "",
    plan,
    cycle,
    currency,
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
    expiresAt: new Date(Math.min(now.getTime() + checkoutLifeMs, paidBy?.getTime() ?? Number.POSITIVE_INFINITY)),
  });
  return { id, isNew: true, after };
}

/** Creates it at the gateway, unless an earlier attempt without a response already has. */
async function make(
  dependencies: CheckoutDependencies,
  subscription: Subscription,
  { isNew }: { isNew: boolean },
): Promise<string> {
  try {
    const created =
      (isNew ? undefined : await findCreated(dependencies, subscription)) ?? (await create(dependencies, subscription));
    await keepGatewayId(dependencies.db, subscription.id, { gatewayId: created, now: dependencies.clock.now() });
    return created;
  } catch (problem) {
    await releaseClaim(dependencies.db, subscription.id);
    throw problem;
  }
}

async function create({ gateway }: CheckoutDependencies, subscription: Subscription): Promise<string> {
  const { id, cycle, startsAt, expiresAt, gatewayPlanId } = subscription;
  const created = await gateway.createSubscription({
    planId: gatewayPlanId,
    totalCount: cycleCounts[cycle],
    notes: { [ourNote]: id },
    expiresAt,
    startsAt,
  });
  return created.id;
}

/** Our clock and the gateway's may differ by this much. */
const clockSlackMs = 10 * 60_000;

/** The gateway's subscription that carries our id, if there is one. */
export async function findCreated(
  { gateway }: Pick<CheckoutDependencies, "gateway">,
  subscription: Subscription,
): Promise<string | undefined> {
  const { id, gatewayPlanId, createdAt } = subscription;
  const since = new Date(createdAt.getTime() - clockSlackMs);
  const all = await gateway.listSubscriptions({ planId: gatewayPlanId, since });
  return all.find(({ notes }) => notes[ourNote] === id)?.id;
}
