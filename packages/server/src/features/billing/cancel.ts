import { DomainError } from "@tintype/contract";
import { applyIn } from "./apply.ts";
import { writeAudit } from "./audit.ts";
import { type Reconciling, reconcile, tellGateway } from "./reconcile.ts";
import { lastOf, standingOf } from "./standing.ts";
import { lockAccount, subscriptionsOf } from "./store.ts";
import { endOf } from "./subscription.ts";

/**
 * Cancels at the end of what is paid for, and answers when that is; again, the same answer. Written down before the
 * gateway is told: should it not answer, it is told later, and a charge until then goes back.
 * @throws not-found when it is no running subscription of this person
 */
export async function cancelSubscription(
  use: Reconciling,
  { accountId, gatewayId }: { accountId: string; gatewayId: string },
): Promise<Date> {
  const { db, clock, log } = use;
  const named = (await subscriptionsOf(db, accountId)).find((one) => one.gatewayId === gatewayId);
  // The end may have moved since we last heard of it; but a gateway that is down must not keep anybody from leaving.
  if (named)
    await reconcile(use, named).catch((problem: unknown) =>
      log.warn({ err: problem }, "cancelling without the gateway"),
    );

  const { end, after } = await db.transaction(async (tx) => {
    await lockAccount(tx, accountId);
    const now = clock.now();
    const standing = standingOf(await subscriptionsOf(tx, accountId));
    const isRunning = [standing.current, standing.next].some((one) => one?.gatewayId === gatewayId);
    // Where a change is scheduled, what has to stop is what comes after it.
    const last = lastOf(standing);
    if (!isRunning || !last) return { end: undefined, after: [] };
    const changed = await applyIn(tx, use, {
      subscriptionId: last.id,
      event: { kind: "stop", stop: { reason: "cancelled", at: now, endsBy: null } },
    });
    const stopped = changed.find(({ id }) => id === last.id);
    return { end: (stopped && endOf(stopped)) ?? now, after: changed };
  });
  if (!end) {
    await writeAudit(db, { at: clock.now(), kind: "cancel-refused", accountId, detail: { gatewayId } });
    throw new DomainError("not-found", { detail: "There is no running subscription with this id." });
  }
  await tellGateway(use, after);
  return end;
}
