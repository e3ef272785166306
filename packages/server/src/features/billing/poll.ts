import { lt } from "drizzle-orm";
import { dayMs } from "../../platform/clock.ts";
import { forgetMails } from "../../platform/mail-outbox.ts";
import { GatewayError } from "../../platform/payments/gateway.ts";
import { forgetDeleted } from "../accounts/deleted.ts";
import { applyEvent } from "./apply.ts";
import { movePrice, type PriceMoveDependencies } from "./price-moves.ts";
import { type ReconcileDependencies, reconcile, sendStops } from "./reconcile.ts";
import { findCreated } from "./session.ts";
import { dueSubscriptions, keepGatewayId, pollBy, postponePoll } from "./store.ts";
import type { Subscription } from "./subscription.ts";
import { gatewayEvents } from "./tables.ts";

/** A subscription that the gateway has not created is given up after this time. */
const creationTimeoutMs = 3_600_000;
/** A price that could not be changed is retried after this time. */
const priceRetryDelayMs = 3_600_000;

/** Polls every due subscription. Covers lost webhooks, a server that died between payment and upgrade, and periods that end. */
export async function pollDue(dependencies: PriceMoveDependencies): Promise<void> {
  const { db, clock, log } = dependencies;
  for (const subscription of await dueSubscriptions(db, clock.now())) {
    try {
      if (subscription.gatewayId === null) await resumeCreation(dependencies, subscription);
      else {
        await reconcile(dependencies, subscription);
        await movePrice(dependencies, subscription.id).catch(async (problem: unknown) => {
          log.warn({ err: problem, subscription: subscription.id }, "cannot change a subscription's price");
          await pollBy(db, subscription.id, new Date(clock.now().getTime() + priceRetryDelayMs));
        });
      }
    } catch (problem) {
      log.warn({ err: problem, subscription: subscription.id }, "cannot check a subscription");
      // Changes by time alone do not wait for the gateway.
      await applyEvent(dependencies, { subscriptionId: subscription.id, event: { kind: "time" } });
      await postponePoll(db, subscription.id, clock.now());
      // If the gateway is unavailable for this one, it is for the others too.
      if (problem instanceof GatewayError && problem.kind === "unavailable" && problem.status === undefined) return;
    }
  }
}

/**
 * Sends due cancellations to the gateway before it may charge again. Polls would do it too, but the sandbox's clock jumps
 * together with ours.
 */
export async function sendDueStops(dependencies: ReconcileDependencies): Promise<void> {
  const { db, clock } = dependencies;
  for (const { id, stop } of await dueSubscriptions(db, clock.now()))
    if (stop)
      await sendStops(dependencies, await applyEvent(dependencies, { subscriptionId: id, event: { kind: "time" } }));
}

/** A row whose creation at the gateway was interrupted. */
async function resumeCreation(dependencies: ReconcileDependencies, subscription: Subscription): Promise<void> {
  const { db, clock } = dependencies;
  const now = clock.now();
  const created = await findCreated(dependencies, subscription);
  if (created) return keepGatewayId(db, subscription.id, { gatewayId: created, now });
  const isLost = now.getTime() - subscription.createdAt.getTime() > creationTimeoutMs;
  await applyEvent(dependencies, {
    subscriptionId: subscription.id,
    event: isLost
      ? { kind: "stop", stop: { reason: "abandoned", at: now, endsBy: null, refundsFrom: null } }
      : { kind: "time" },
  });
}

/** Deletes rows that are no longer read. */
export async function forgetOld({ db, clock }: ReconcileDependencies): Promise<void> {
  const before = (days: number) => new Date(clock.now().getTime() - days * dayMs);
  // The gateway redelivers events for a day, and on manual request for a week.
  await db.delete(gatewayEvents).where(lt(gatewayEvents.receivedAt, before(30)));
  // No token lives longer than this.
  await forgetDeleted(db, before(7));
  await forgetMails(db, { before: before(90), now: clock.now() });
}
