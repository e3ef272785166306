import { setTimeout as wait } from "node:timers/promises";
import { type BillingCycle, DomainError, type PaidPlanName, text } from "@tintype/contract";
import { writeAudit } from "./audit.ts";
import { type PlanState, planStateOf } from "./plan-state.ts";
import { type ReconcileDependencies, reconcile } from "./reconcile.ts";
import { subscriptionsOf } from "./store.ts";
import type { Subscription } from "./subscription.ts";

/** A checkout's claims. None of them is trusted. */
export type UpgradeClaim = {
  accountId: string;
  plan: PaidPlanName;
  cycle: BillingCycle;
  /** The checkout's signed response, if the client forwards it. */
  signed?: { paymentId: string; subscriptionId: string; signature: string };
};

/** The gateway reports "paid" slightly later than its checkout: poll for this long before responding. */
const pausesMs = { signed: [0, 400, 800, 1600], unsigned: [0, 600] };

/**
 * Confirms a checkout: verifies the signature over the subscription we stored, and that the gateway reports it as paid and
 * as this person's and this plan's. Repeating it, also for an old payment, changes nothing.
 * @throws conflict otherwise, GatewayError
 */
export async function confirmUpgrade(dependencies: ReconcileDependencies, claim: UpgradeClaim): Promise<PlanState> {
  const { db, clock } = dependencies;
  const own = await subscriptionsOf(db, claim.accountId);
  const target = findTarget(own, claim);
  const audit = (kind: string, detail: Record<string, unknown> = {}) =>
    writeAudit(db, { at: clock.now(), kind, accountId: claim.accountId, subscriptionId: target?.id ?? null, detail });
  const refuse = async (reason: string, sentence: string = text.upgradeRefused) => {
    await audit("upgrade-refused", { reason, plan: claim.plan, cycle: claim.cycle });
    return new DomainError("conflict", { detail: sentence });
  };
  if (!target) throw await refuse(claim.signed ? "not this person's subscription" : "nothing was sold");
  if (target.plan !== claim.plan || target.cycle !== claim.cycle) throw await refuse("another plan");
  const { signed } = claim;
  if (signed && !dependencies.gateway.isCheckoutSigned({ ...signed, subscriptionId: target.gatewayId ?? "" }))
    throw await refuse("wrong signature");

  const paymentIds = signed ? [signed.paymentId] : [];
  for (const pauseMs of signed ? pausesMs.signed : pausesMs.unsigned) {
    if (pauseMs > 0) await wait(pauseMs);
    const after = await reconcile(dependencies, target, { paymentIds });
    const state = after.find(({ id }) => id === target.id)?.state;
    if (state === "open" || state === undefined) continue;
    if (state === "ended" || state === "halted") throw await refuse(`it is ${state}`);
    await audit(target.state === "open" ? "upgrade-confirmed" : "upgrade-repeated");
    return planStateOf(after);
  }
  throw await refuse(
    "not paid",
    signed ? "Your payment is not confirmed yet. Your plan changes as soon as it is." : text.paymentFailed,
  );
}

/** The subscription that is meant: the one named, otherwise the newest of that plan. */
function findTarget(own: readonly Subscription[], { plan, cycle, signed }: UpgradeClaim): Subscription | undefined {
  if (signed) return own.find(({ gatewayId }) => gatewayId === signed.subscriptionId);
  return own.findLast(
    (one) => one.gatewayId !== null && one.plan === plan && one.cycle === cycle && one.state !== "ended",
  );
}
